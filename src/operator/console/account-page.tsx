import { PlanDialog, resumeDialog, suspendDialog } from './account-dialogs.tsx';
import { type AccountAndKeys, accountPath, useQuery } from './api.ts';
import { OutcomeChart } from './chart.tsx';
import { DialogButton } from './dialog.tsx';
import { formatNumber, formatTime } from './format.tsx';
import { KeyTable, newKeyDialog } from './keys.tsx';
import { Badge, Loaded, PlanBadge, Tile, WindowBar } from './marks.tsx';
import { linkTo } from './route.ts';

const REFRESH_MS = 5_000;

export function AccountPage({ name }: { name: string }) {
  const query = useQuery<AccountAndKeys>(accountPath(name), REFRESH_MS);
  return (
    <>
      <p class="crumb">
        <a href={linkTo('accounts')}>Accounts</a>
      </p>
      <Loaded query={query}>{(data) => <AccountView {...data} />}</Loaded>
    </>
  );
}

function AccountView({ account, keys }: AccountAndKeys) {
  const { id, name, plan, perMinute, perDay, usage, suspendedAt, suspensionReason } = account;
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <span class="badges">
          <PlanBadge name={plan} />
          {suspendedAt === null ? (
            <Badge tone="good">Active</Badge>
          ) : (
            <Badge tone="bad">Suspended</Badge>
          )}
        </span>
        <div class="buttons">
          <DialogButton look="secondary" opens={() => <PlanDialog account={account} />}>
            Change plan
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
          <DialogButton opens={() => newKeyDialog(name)}>New key</DialogButton>
        </div>
      </div>
      {suspendedAt !== null && (
        <p class="banner">
          Suspended on {formatTime(suspendedAt)}
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
        <Tile label="Limits">
          {formatNumber(perMinute)} a minute, {formatNumber(perDay)} a day
        </Tile>
        <Tile
          label="Created"
          note={
            <>
              Id {id}, <a href={linkTo('requests', { account: name })}>failed requests</a>,{' '}
              <a href={linkTo('audit', { account: name })}>changes in the audit</a>
            </>
          }
        >
          {formatTime(account.createdAt)}
        </Tile>
      </dl>
      <OutcomeChart days={account.days} />
      <section>
        <h2>Keys</h2>
        <KeyTable keys={keys} />
      </section>
    </>
  );
}
