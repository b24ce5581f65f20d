import { useState } from 'preact/hooks';
import type { Key } from './api.ts';
import { formatDate, formatTime } from './format.ts';
import { type NewSecret, RevokeDialog, RotateDialog, UnbanDialog } from './key-dialogs.tsx';
import { Ago, Badge, Countdown, type Tone } from './marks.tsx';
import { Empty } from './states.tsx';

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onChange: () => void;
  readonly onSecret: (secret: NewSecret) => void;
}

interface Chosen {
  readonly action: 'rotate' | 'revoke' | 'unban';
  readonly apiKey: Key;
}

export function KeyTable({ keys, onChange, onSecret }: KeyTableProps) {
  const [chosen, setChosen] = useState<Chosen>();
  const close = () => setChosen(undefined);
  const done = () => {
    close();
    onChange();
  };

  if (keys.length === 0) {
    return (
      <Empty title="No keys yet">
        <p>Create a key and give it to the customer. Every request needs one.</p>
      </Empty>
    );
  }
  return (
    <>
      <table class="list keys">
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              onChoose={(action) => setChosen({ action, apiKey: key })}
            />
          ))}
        </tbody>
      </table>
      {chosen?.action === 'rotate' && (
        <RotateDialog
          apiKey={chosen.apiKey}
          onClose={close}
          onCreated={(secret) => {
            close();
            onSecret(secret);
          }}
        />
      )}
      {chosen?.action === 'revoke' && (
        <RevokeDialog apiKey={chosen.apiKey} onClose={close} onDone={done} />
      )}
      {chosen?.action === 'unban' && (
        <UnbanDialog apiKey={chosen.apiKey} onClose={close} onDone={done} />
      )}
    </>
  );
}

const STATES: Readonly<Record<string, readonly [tone: Tone, text: string]>> = {
  active: ['good', 'Active'],
  banned: ['bad', 'Banned'],
  suspended: ['bad', 'Suspended'],
  expired: ['neutral', 'Expired'],
  revoked: ['neutral', 'Revoked'],
};

interface KeyRowProps {
  readonly apiKey: Key;
  readonly onChoose: (action: Chosen['action']) => void;
}

function KeyRow({ apiKey, onChoose }: KeyRowProps) {
  const { id, label, state, createdAt, expiresAt, bannedUntil, lastUsedAt, successorId } = apiKey;
  const [tone, text] = STATES[state ?? ''] ?? ['neutral', 'Unknown'];
  const isOver = state === 'revoked' || state === 'expired';
  return (
    <tr class={isOver ? 'over' : undefined}>
      <th scope="row">
        {label === '' ? <span class="quiet">No label</span> : <bdi>{label}</bdi>}
        <span class="sub">
          Key {id}
          {successorId !== null && `, replaced by key ${successorId}`}
        </span>
      </th>
      <td>
        <Badge tone={tone}>{text}</Badge>
        {state === 'banned' && bannedUntil !== null && (
          <span class="sub">
            <Countdown until={bannedUntil} /> left
          </span>
        )}
      </td>
      <td data-label="Last used">
        <Ago time={lastUsedAt} />
      </td>
      <td data-label="Expires">
        <Ago time={expiresAt} />
      </td>
      <td data-label="Created">
        <time dateTime={createdAt} title={formatTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      </td>
      <td class="end">
        {!isOver && (
          <span class="row-buttons">
            {state === 'banned' && (
              <button type="button" class="secondary small" onClick={() => onChoose('unban')}>
                Lift ban
              </button>
            )}
            {successorId === null && (
              <button
                type="button"
                class="secondary small"
                aria-label={`Rotate key ${id}`}
                onClick={() => onChoose('rotate')}
              >
                Rotate
              </button>
            )}
            <button
              type="button"
              class="secondary small danger-text"
              aria-label={`Revoke key ${id}`}
              onClick={() => onChoose('revoke')}
            >
              Revoke
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}
