import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { PlanDialog, ResumeDialog, SuspendDialog } from './account-dialogs.tsx';
import { type AccountAndKeys, accountPath } from './api.ts';
import type { Series } from './chart.tsx';
import { now } from './clock.ts';
import { DayChart } from './day-chart.tsx';
import { formatNumber, formatTime } from './format.ts';
import { NewKeyDialog, type NewSecret, SecretDialog } from './key-dialogs.tsx';
import { KeyTable } from './key-table.tsx';
import { Badge, PlanBadge, WindowBar } from './marks.tsx';
import { linkTo } from './route.ts';
import { usePlan } from './session.ts';
import { Loaded } from './states.tsx';
import { useQuery } from './use-query.ts';

const REFRESH_MS = 5_000;
const DAY_SECONDS = 86_400;

export function AccountPage({ name }: { name: string }) {
  const query = useQuery<AccountAndKeys>(accountPath(name), REFRESH_MS);
  return (
    <>
      <p class="crumb">
        <a href={linkTo('accounts')}>Accounts</a>
      </p>
      <Loaded query={query} rows={8}>
        {(data) => <AccountView {...data} reload={query.reload} />}
      </Loaded>
    </>
  );
}

type Action = 'plan' | 'suspend' | 'resume' | 'key' | undefined;

function AccountView({ account, keys, reload }: AccountAndKeys & { reload: () => void }) {
  const { name, plan, state, usage } = account;
  const { title } = usePlan(plan);
  const [action, setAction] = useState<Action>();
  const [secret, setSecret] = useState<NewSecret>();
  const close = () => setAction(undefined);
  const dialog = {
    account,
    onClose: close,
    onDone: () => {
      close();
      reload();
    },
  };
  const showSecret = (created: NewSecret) => {
    close();
    setSecret(created);
    reload();
  };

  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <span class="badges">
          <PlanBadge title={title} />
          {state === 'suspended' ? (
            <Badge tone="bad">Suspended</Badge>
          ) : (
            <Badge tone="good">Active</Badge>
          )}
        </span>
        <div class="buttons">
          <button type="button" class="secondary" onClick={() => setAction('plan')}>
            Change plan
          </button>
          {state === 'suspended' ? (
            <button type="button" class="secondary" onClick={() => setAction('resume')}>
              Resume
            </button>
          ) : (
            <button
              type="button"
              class="secondary danger-text"
              onClick={() => setAction('suspend')}
            >
              Suspend
            </button>
          )}
          <button type="button" onClick={() => setAction('key')}>
            New key
          </button>
        </div>
      </div>
      {account.suspendedAt !== null && (
        <p class="banner bad">
          <span>
            Suspended on {formatTime(account.suspendedAt)}
            {account.suspensionReason ? `: ${account.suspensionReason}` : '. No reason was given.'}
          </span>
        </p>
      )}
      <dl class="facts">
        <Fact label="This minute">
          <WindowBar window={usage?.minute} />
        </Fact>
        <Fact label="Today (UTC)">
          <WindowBar window={usage?.day} />
        </Fact>
        <Fact label="Limits">
          {formatNumber(account.perMinute)} a minute, {formatNumber(account.perDay)} a day
        </Fact>
        <Fact label="Created">
          {formatTime(account.createdAt)}
          <span class="sub">
            Id {account.id}, <a href={linkTo('audit', { account: name })}>changes in the audit</a>
          </span>
        </Fact>
      </dl>
      <DaysOfAccount days={account.days} />
      <section>
        <h2>Keys</h2>
        <KeyTable keys={keys} onChange={reload} onSecret={showSecret} />
      </section>
      {action === 'plan' && <PlanDialog {...dialog} />}
      {action === 'suspend' && <SuspendDialog {...dialog} />}
      {action === 'resume' && <ResumeDialog {...dialog} />}
      {action === 'key' && (
        <NewKeyDialog accountName={name} onClose={close} onCreated={showSecret} />
      )}
      {secret !== undefined && (
        <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function DaysOfAccount({ days }: { days: readonly number[] }) {
  const series = useMemo(
    (): Series[] => [{ label: 'requests', colour: 'good', values: days }],
    [days],
  );
  const times = useMemo(() => {
    const today = Math.floor(now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
    return days.map((_, index) => today - (days.length - 1 - index) * DAY_SECONDS);
  }, [days]);
  return <DayChart times={times} series={series} />;
}
