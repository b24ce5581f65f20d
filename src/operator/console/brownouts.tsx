import { useState } from 'preact/hooks';
import { type Brownout, request } from './api.ts';
import { now } from './clock.ts';
import { ActionDialog, Field } from './dialog.tsx';
import { formatTime } from './format.ts';
import { Ago, Badge, Countdown, type Tone } from './marks.tsx';
import { announce } from './notices.tsx';
import { Select } from './select.tsx';
import { Empty } from './states.tsx';

interface BrownoutTableProps {
  readonly operation: string;
  readonly brownouts: readonly Brownout[];
  readonly onChange: () => void;
}

const STATES: Readonly<Record<Brownout['state'], readonly [tone: Tone, text: string]>> = {
  planned: ['neutral', 'Planned'],
  active: ['warning', 'In progress'],
  over: ['neutral', 'Over'],
  cancelled: ['neutral', 'Cancelled'],
};

export function BrownoutTable({ operation, brownouts, onChange }: BrownoutTableProps) {
  const [cancelled, setCancelled] = useState<Brownout>();
  const close = () => setCancelled(undefined);
  if (brownouts.length === 0) {
    return (
      <Empty title="No brownouts">
        <p>
          A brownout is a short outage of {operation}, to find its callers before it is removed.
          They get a 410 that says when it ends.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <table class="list brownouts">
        <thead>
          <tr>
            <th scope="col">Starts</th>
            <th scope="col">Ends</th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {brownouts.map((brownout) => (
            <BrownoutRow key={brownout.id} brownout={brownout} onCancel={setCancelled} />
          ))}
        </tbody>
      </table>
      {cancelled !== undefined && (
        <CancelDialog
          operation={operation}
          brownout={cancelled}
          onClose={close}
          onDone={() => {
            close();
            onChange();
          }}
        />
      )}
    </>
  );
}

interface BrownoutRowProps {
  readonly brownout: Brownout;
  readonly onCancel: (brownout: Brownout) => void;
}

function BrownoutRow({ brownout, onCancel }: BrownoutRowProps) {
  const { startsAt, endsAt, state } = brownout;
  const [tone, text] = STATES[state];
  const isOpen = state === 'planned' || state === 'active';
  const verb = state === 'active' ? 'End now' : 'Cancel';
  return (
    <tr class={isOpen ? undefined : 'over'}>
      <th scope="row">{formatTime(startsAt)}</th>
      <td data-label="Ends">{formatTime(endsAt)}</td>
      <td>
        <Badge tone={tone}>{text}</Badge>
        {state === 'planned' && (
          <span class="sub">
            <Ago time={startsAt} />
          </span>
        )}
        {state === 'active' && (
          <span class="sub">
            <Countdown until={endsAt} /> left
          </span>
        )}
      </td>
      <td class="end">
        {isOpen && (
          <button
            type="button"
            class="secondary small danger-text"
            aria-label={`${verb}: brownout of ${formatTime(startsAt)}`}
            onClick={() => onCancel(brownout)}
          >
            {verb}
          </button>
        )}
      </td>
    </tr>
  );
}

interface BrownoutDialogProps {
  readonly operation: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function CancelDialog({
  operation,
  brownout,
  onClose,
  onDone,
}: BrownoutDialogProps & { brownout: Brownout }) {
  const isActive = brownout.state === 'active';
  const cancel = async () => {
    await request('DELETE', `brownouts/${brownout.id}`);
    onDone();
    announce('Brownout cancelled.');
  };
  return (
    <ActionDialog
      title={isActive ? 'End this brownout now?' : 'Cancel this brownout?'}
      action={isActive ? 'End brownout' : 'Cancel brownout'}
      isDangerous
      onClose={onClose}
      onConfirm={cancel}
    >
      <p>
        {operation} {isActive ? 'works again at once' : 'keeps working'} on every instance.
      </p>
    </ActionDialog>
  );
}

/** The service asks for an hour. The clocks may differ by some seconds. */
const NOTICE_MS = 61 * 60_000;

/** As the field takes it: 2026-11-16T12:00. */
function inputTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

const DURATIONS = [
  ['5m', '5 minutes'],
  ['15m', '15 minutes'],
  ['30m', '30 minutes'],
  ['1h', '1 hour'],
] as const;

export function NewBrownoutDialog({ operation, onClose, onDone }: BrownoutDialogProps) {
  const [startsAt, setStartsAt] = useState('');
  const [duration, setDuration] = useState('15m');
  const [isSoon, setSoon] = useState(false);
  const schedule = async () => {
    const body = { startsAt: startsAt === '' ? null : `${startsAt}Z`, duration, now: isSoon };
    await request('POST', 'brownouts', { body });
    onDone();
    announce('Brownout scheduled.');
  };
  return (
    <ActionDialog
      title={`Schedule a brownout of ${operation}`}
      action="Schedule"
      onClose={onClose}
      onConfirm={schedule}
    >
      <p>
        Every call of {operation} gets a 410 for this time, on every instance. The response says
        that it is a rehearsal and when it ends.
      </p>
      <div class="pair">
        <Field
          label="Starts at (UTC)"
          {...(isSoon && { hint: 'Leave it empty to start at once.' })}
        >
          <input
            type="datetime-local"
            required={!isSoon}
            min={isSoon ? undefined : inputTime(now() + NOTICE_MS)}
            value={startsAt}
            onInput={({ currentTarget }) => setStartsAt(currentTarget.value)}
          />
        </Field>
        <Field label="Duration">
          <Select options={DURATIONS} value={duration} onChange={setDuration} />
        </Field>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isSoon}
          onChange={({ currentTarget }) => setSoon(currentTarget.checked)}
        />
        <span>Allow a start within the next hour, without notice to callers</span>
      </label>
    </ActionDialog>
  );
}
