import { useState } from 'preact/hooks';
import {
  type Account,
  accountPath,
  type PlanPreview,
  request,
  usePlan,
  useQuery,
  useSession,
  withQuery,
} from './api.ts';
import { Field, FormDialog, type Values } from './dialog.tsx';
import { formatDate, formatNumber, plural } from './format.tsx';
import { Loaded } from './marks.tsx';
import { linkTo } from './route.ts';

export function newAccountDialog() {
  return (
    <FormDialog
      title="New account"
      submit="Create account"
      onSubmit={async ({ name, ...plan }) => {
        const account = await request<Account>('POST', 'accounts', { name, ...toPlan(plan) });
        location.hash = linkTo('accounts', {}, account.name);
        return `Account ${account.name} created.`;
      }}
    >
      <Field name="name" label="Name" required maxLength={64} />
      <PlanFields plan="free" />
    </FormDialog>
  );
}

interface PlanFieldsProps {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** A plan, and limits if it has no fixed ones. */
function PlanFields({ plan, perMinute, perDay }: PlanFieldsProps) {
  const { plans } = useSession();
  const [chosen, setChosen] = useState(plan);
  const options = plans.map(({ name, title, ...limits }) => {
    const text =
      limits.perMinute === null || limits.perDay === null
        ? 'custom limits'
        : `${formatNumber(limits.perMinute)} a minute, ${formatNumber(limits.perDay)} a day`;
    return [name, `${title}: ${text}`] as const;
  });
  const limit = { type: 'number', min: 1, required: true } as const;
  return (
    <>
      <Field name="plan" label="Plan" options={options} defaultValue={plan} onValue={setChosen} />
      {usePlan(chosen).perMinute === null && (
        <div class="pair">
          <Field name="perMinute" label="Requests per minute" defaultValue={perMinute} {...limit} />
          <Field name="perDay" label="Requests per day" defaultValue={perDay} {...limit} />
        </div>
      )}
    </>
  );
}

/** As the API takes it. A plan with fixed limits has no fields for them. */
function toPlan({ plan, perMinute, perDay }: Values) {
  return {
    plan,
    ...(perMinute && { perMinute: Number(perMinute) }),
    ...(perDay && { perDay: Number(perDay) }),
  };
}

export function PlanDialog({ account }: { account: Account }) {
  const { name, plan, perMinute, perDay } = account;
  const [values, setValues] = useState<Values>({ plan });
  const isCustom = usePlan(values['plan'] ?? plan).perMinute === null;
  const wanted = isCustom ? { perMinute, perDay, ...toPlan(values) } : { plan: values['plan'] };
  const preview = useQuery<PlanPreview>(withQuery(`${accountPath(name)}/plan-preview`, wanted));
  return (
    <FormDialog
      title={`Change the plan of ${name}`}
      submit="Change plan"
      isReady={preview.isCurrent}
      onInput={setValues}
      onSubmit={async (values) => {
        await request('PUT', `${accountPath(name)}/plan`, toPlan(values));
        return `Plan of ${name} changed.`;
      }}
    >
      <PlanFields plan={plan} perMinute={perMinute} perDay={perDay} />
      <div class="preview" aria-live="polite">
        <h3>Effect on past requests</h3>
        <Loaded query={preview}>{(data) => <Preview preview={data} />}</Loaded>
      </div>
    </FormDialog>
  );
}

function Preview({ preview }: { preview: PlanPreview }) {
  const { since, requests, refused, refusedInFact, worst } = preview;
  if (requests === 0) return <p>No requests since {formatDate(since)}.</p>;
  return (
    <>
      <p>
        {refused === 0 ? (
          <>As far as the history shows, none of {plural(requests, 'request')}</>
        ) : (
          <b>
            At least {formatNumber(refused)} of {plural(requests, 'request')}
          </b>
        )}{' '}
        since {formatDate(since)} would have been refused. The plan in force refused{' '}
        {refusedInFact === 0 ? 'none' : formatNumber(refusedInFact)}.
      </p>
      {worst !== null && refused > 0 && (
        <p>
          At worst, on {formatDate(worst.day)}: at least {formatNumber(worst.refused)} of{' '}
          {plural(worst.requests, 'request')} in one {worst.window}.
        </p>
      )}
    </>
  );
}

export function suspendDialog(name: string) {
  return (
    <FormDialog
      title={`Suspend ${name}?`}
      submit="Suspend"
      isDangerous
      onSubmit={async ({ reason = '' }) => {
        await request('POST', `${accountPath(name)}/suspend`, { reason: reason.trim() });
        return `Account ${name} suspended.`;
      }}
    >
      <p>None of its keys will work until you resume it.</p>
      <Field
        name="reason"
        label="Reason"
        hint="For operators. Callers do not see it."
        maxLength={200}
      />
    </FormDialog>
  );
}

export function resumeDialog(name: string) {
  return (
    <FormDialog
      title={`Resume ${name}?`}
      submit="Resume"
      onSubmit={async () => {
        await request('POST', `${accountPath(name)}/resume`);
        return `Account ${name} resumed.`;
      }}
    >
      <p>Its keys will work again.</p>
    </FormDialog>
  );
}
