import { Field, FormButton } from './dialog.tsx';
import { formatDate, formatNumber, plural } from './format.tsx';
import { Loaded } from './loaded.tsx';
import { linkTo } from './route.ts';
import {
  type AccountFacts,
  type AccountView,
  accountPath,
  type LimitsPreview,
  PLANS,
  type Plan,
  withQuery,
} from './service.ts';

export function NewAccountButton() {
  return (
    <FormButton<AccountFacts>
      label="Create account"
      isPrimary
      path="accounts"
      done={({ name }) => {
        location.hash = linkTo(accountPath(name));
        return `Account ${name} created.`;
      }}
    >
      {({ plan = 'free' }) => (
        <>
          <Field name="name" label="Name" required />
          <PlanFields plan={plan} />
        </>
      )}
    </FormButton>
  );
}

const PLAN_OPTIONS = Object.fromEntries(
  Object.entries(PLANS).map(([name, { title, limits }]) => {
    const text = limits === undefined ? 'custom limits' : limitsInWords(limits);
    return [name, `${title}: ${text}`];
  }),
);

export function limitsInWords({ perMinute, perDay }: Pick<AccountView, 'perMinute' | 'perDay'>) {
  return `${formatNumber(perMinute)} a minute, ${formatNumber(perDay)} a day`;
}

function isCustom(plan: string): boolean {
  return PLANS[plan as Plan].limits === undefined;
}

interface PlanFieldsProps {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
}

/** The chosen plan, and if it has no fixed limits, fields for them, which first show the present limits. */
function PlanFields({ plan, perMinute, perDay }: PlanFieldsProps) {
  const limit = { type: 'number', min: 1, required: true } as const;
  return (
    <>
      <Field name="plan" label="Plan" options={PLAN_OPTIONS} defaultValue={plan} />
      {isCustom(plan) && (
        <>
          <Field name="perMinute" label="Requests per minute" defaultValue={perMinute} {...limit} />
          <Field name="perDay" label="Requests per day" defaultValue={perDay} {...limit} />
        </>
      )}
    </>
  );
}

function PlanButton({ name, plan, perMinute, perDay }: AccountView) {
  const path = `${accountPath(name)}/plan`;
  return (
    <FormButton label="Change plan" of={`of ${name}`} path={path} done={`Plan of ${name} changed.`}>
      {(values) => {
        const wanted = { plan, perMinute, perDay, ...values };
        const previewed = isCustom(wanted.plan) ? wanted : { plan: wanted.plan };
        const isReady = wanted.perMinute && wanted.perDay;
        return (
          <>
            <PlanFields plan={wanted.plan} perMinute={perMinute} perDay={perDay} />
            <div class="preview" aria-live="polite">
              <h3>Effect on past requests</h3>
              {isReady && (
                <Loaded<LimitsPreview> path={withQuery(`${path}-preview`, previewed)}>
                  {Preview}
                </Loaded>
              )}
            </div>
          </>
        );
      }}
    </FormButton>
  );
}

function Preview({ since, requests, refused, refusedInFact, worst }: LimitsPreview) {
  if (requests === 0) return <p>No requests since {formatDate(since)}.</p>;
  return (
    <>
      <p>
        <b>
          {refused === 0
            ? 'As far as the history shows, none'
            : `At least ${formatNumber(refused)}`}
        </b>{' '}
        of {plural(requests, 'request')} since {formatDate(since)} would have been refused. The plan
        in force refused {refusedInFact === 0 ? 'none' : formatNumber(refusedInFact)}.
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

/** The buttons that change an account. */
export function AccountButtons({ account, keyCount }: { account: AccountView; keyCount: number }) {
  const { name } = account;
  const path = accountPath(name);
  return (
    <>
      <PlanButton {...account} />
      <FormButton<AccountFacts>
        label="Rename"
        of={name}
        path={`${path}/rename`}
        done={(renamed) => {
          location.hash = linkTo(accountPath(renamed.name));
          return `Account ${name} renamed to ${renamed.name}.`;
        }}
      >
        <Field
          name="newName"
          label="New name"
          hint="Its keys, its plan and its usage stay the same."
          defaultValue={name}
          required
        />
      </FormButton>
      {account.suspendedAt === null ? (
        <FormButton
          label="Suspend"
          isDangerous
          of={name}
          path={`${path}/suspend`}
          done={`Account ${name} suspended.`}
        >
          <p>None of its keys will work until you resume it.</p>
          <Field name="reason" label="Reason" hint="For operators. Callers do not see it." />
        </FormButton>
      ) : (
        <FormButton
          label="Resume"
          of={name}
          path={`${path}/resume`}
          done={`Account ${name} resumed.`}
        >
          <p>Its keys will work again.</p>
        </FormButton>
      )}
      <FormButton
        label="Remove"
        isDangerous
        of={name}
        path={`${path}/remove`}
        done={() => {
          location.hash = linkTo('accounts');
          return `Account ${name} removed.`;
        }}
      >
        <p>
          This removes the account with {plural(keyCount, 'key')} and its usage. Requests with its
          keys get a 401 within a second. Its pets and the audit stay. You cannot undo this.
        </p>
      </FormButton>
    </>
  );
}
