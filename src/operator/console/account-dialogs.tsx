import { useState } from 'preact/hooks';
import { type Account, accountPath, type PlanPreview, request, withQuery } from './api.ts';
import { ActionDialog, Field } from './dialog.tsx';
import { formatDate, formatNumber, plural } from './format.ts';
import { announce } from './notices.tsx';
import { limitsOf, type PlanChoice, PlanFields, useHasCustomLimits } from './plan-fields.tsx';
import { linkTo } from './route.ts';
import { Loaded } from './states.tsx';
import { useQuery } from './use-query.ts';

export function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [choice, setChoice] = useState<PlanChoice>({ plan: 'free', perMinute: '', perDay: '' });
  const isCustom = useHasCustomLimits(choice.plan);
  const create = async () => {
    const body = { name, ...limitsOf(choice, isCustom) };
    const account = await request<Account>('POST', 'accounts', { body });
    onClose();
    announce(`Account ${account.name} created.`);
    location.hash = linkTo('accounts', {}, account.name);
  };
  return (
    <ActionDialog title="New account" action="Create account" onClose={onClose} onConfirm={create}>
      <Field label="Name">
        <input
          required
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <PlanFields value={choice} onChange={setChoice} />
    </ActionDialog>
  );
}

interface AccountDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function PlanDialog({ account, onClose, onDone }: AccountDialogProps) {
  const { name } = account;
  const [choice, setChoice] = useState<PlanChoice>({
    plan: account.plan,
    perMinute: String(account.perMinute),
    perDay: String(account.perDay),
  });
  const isCustom = useHasCustomLimits(choice.plan);
  const limits = limitsOf(choice, isCustom);
  const isComplete = !isCustom || (Number(choice.perMinute) >= 1 && Number(choice.perDay) >= 1);
  const preview = useQuery<PlanPreview>(
    isComplete ? withQuery(`${accountPath(name)}/plan-preview`, limits) : undefined,
  );
  const change = async () => {
    await request('PUT', `${accountPath(name)}/plan`, { body: limits });
    onDone();
    announce(`Plan of ${name} changed.`);
  };
  return (
    <ActionDialog
      title={`Change the plan of ${name}`}
      action="Change plan"
      isReady={preview.isCurrent}
      onClose={onClose}
      onConfirm={change}
    >
      <PlanFields value={choice} onChange={setChoice} />
      <div class="preview" aria-live="polite">
        <h3>Effect on past requests</h3>
        <Loaded query={preview} rows={2}>
          {(data) => <Preview preview={data} />}
        </Loaded>
      </div>
    </ActionDialog>
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
      {worst !== null && refused > 0 && <p>{describeWorst(worst)}</p>}
    </>
  );
}

function describeWorst(worst: NonNullable<PlanPreview['worst']>): string {
  const { day, window, requests, refused } = worst;
  return `At worst, on ${formatDate(day)}: ${formatNumber(refused)} of ${plural(requests, 'request')} in one ${window}.`;
}

export function SuspendDialog({ account, onClose, onDone }: AccountDialogProps) {
  const [reason, setReason] = useState('');
  const suspend = async () => {
    const body = { reason: reason.trim() };
    await request('POST', `${accountPath(account.name)}/suspend`, { body });
    onDone();
    announce(`Account ${account.name} suspended.`);
  };
  return (
    <ActionDialog
      title={`Suspend ${account.name}?`}
      action="Suspend"
      isDangerous
      onClose={onClose}
      onConfirm={suspend}
    >
      <p>None of its keys will work until you resume it.</p>
      <Field label="Reason" hint="For operators. Callers do not see it.">
        <input
          maxLength={200}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Field>
    </ActionDialog>
  );
}

export function ResumeDialog({ account, onClose, onDone }: AccountDialogProps) {
  const resume = async () => {
    await request('POST', `${accountPath(account.name)}/resume`, { body: {} });
    onDone();
    announce(`Account ${account.name} resumed.`);
  };
  return (
    <ActionDialog
      title={`Resume ${account.name}?`}
      action="Resume"
      onClose={onClose}
      onConfirm={resume}
    >
      <p>Its keys will work again.</p>
    </ActionDialog>
  );
}
