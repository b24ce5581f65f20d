import {
  limitsInWords,
  PlanButton,
  RemoveButton,
  RenameButton,
  ResumeButton,
  SuspendButton,
} from './account-actions.tsx';
import { OutcomeChart } from './chart.tsx';
import { formatDateTime } from './format.tsx';
import { KeyTable, NewKeyButton } from './keys.tsx';
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
          <PlanButton {...account} />
          <RenameButton {...account} />
          {suspendedAt === null ? <SuspendButton {...account} /> : <ResumeButton {...account} />}
          <RemoveButton name={name} keyCount={keys.length} />
          <NewKeyButton accountName={name} />
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
