import {
  limitsInWords,
  planDialog,
  removeDialog,
  renameDialog,
  resumeDialog,
  suspendDialog,
} from './account-dialogs.tsx';
import { OutcomeChart } from './chart.tsx';
import { DialogButton } from './dialog.tsx';
import { formatDateTime } from './format.tsx';
import { KeyTable, newKeyDialog } from './keys.tsx';
import { Loaded } from './loaded.tsx';
import { PlanBadge, StateBadge, Tile, WindowBar } from './marks.tsx';
import { linkTo } from './route.ts';
import { type AccountAndKeys, accountPath } from './service.ts';

export function AccountPage({ name }: { name: string }) {
  return (
    <Loaded<AccountAndKeys> path={accountPath(name)} refreshMs={5_000}>
      {AccountView}
    </Loaded>
  );
}

function AccountView({ account, days, keys }: AccountAndKeys) {
  const { id, name, plan, state, usage, suspendedAt, suspensionReason } = account;
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi> <PlanBadge plan={plan} /> <StateBadge state={state} />
        </h1>
        <div class="buttons">
          <DialogButton look="secondary" opens={() => planDialog(account)}>
            Change plan
          </DialogButton>
          <DialogButton look="secondary" opens={() => renameDialog(name)}>
            Rename
          </DialogButton>
          {suspendedAt === null ? (
            <DialogButton look="secondary danger-text" opens={() => suspendDialog(name)}>
              Suspend
            </DialogButton>
          ) : (
            <DialogButton look="secondary" opens={() => resumeDialog(name)}>
              Resume
            </DialogButton>
          )}
          <DialogButton look="secondary danger-text" opens={() => removeDialog(name, keys.length)}>
            Remove
          </DialogButton>
          <DialogButton opens={() => newKeyDialog(name)}>New key</DialogButton>
        </div>
      </div>
      {suspendedAt !== null && (
        <p class="banner">
          Suspended on {formatDateTime(suspendedAt)}
          {suspensionReason ? `: ${suspensionReason}` : '. No reason was given.'}
        </p>
      )}
      <dl class="tiles">
        <Tile label="This minute">
          <WindowBar window={usage?.minute} />
        </Tile>
        <Tile label="Today (UTC)">
          <WindowBar window={usage?.day} />
        </Tile>
        <Tile label="Limits">{limitsInWords(account)}</Tile>
        <Tile
          label="Created"
          note={
            <>
              Id {id}, <a href={linkTo('requests', { account: name })}>failed requests</a>,{' '}
              <a href={linkTo('audit', { account: name })}>changes in the audit</a>
            </>
          }
        >
          {formatDateTime(account.createdAt)}
        </Tile>
      </dl>
      <OutcomeChart days={days} />
      <section>
        <h2>Keys</h2>
        <KeyTable keys={keys} />
      </section>
    </>
  );
}
