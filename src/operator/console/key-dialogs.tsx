import { useState } from 'preact/hooks';
import { API_PREFIX } from '../../contract/api.ts';
import { accountPath, type Key, type NewKey, type RotatedKey, request } from './api.ts';
import { CopyButton } from './copy-button.tsx';
import { ActionDialog, Dialog, Field } from './dialog.tsx';
import { announce } from './notices.tsx';
import { Select } from './select.tsx';
import { useSession } from './session.ts';

/** A secret that the service returns once. */
export interface NewSecret {
  readonly keyId: number;
  readonly secret: string;
}

interface NewKeyProps {
  readonly accountName: string;
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

const EXPIRIES = [
  ['', 'Never'],
  ['30d', 'In 30 days'],
  ['90d', 'In 90 days'],
  ['365d', 'In a year'],
  ['date', 'On a date'],
] as const;

export function NewKeyDialog({ accountName, onClose, onCreated }: NewKeyProps) {
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState('');
  const [date, setDate] = useState('');
  const create = async () => {
    const expires = expiry === 'date' ? date : expiry;
    const { key, secret } = await request<NewKey>('POST', `${accountPath(accountName)}/keys`, {
      body: { label: label.trim(), expires: expires === '' ? null : expires },
    });
    onCreated({ keyId: key.id, secret });
  };
  return (
    <ActionDialog
      title={`New key for ${accountName}`}
      action="Create key"
      onClose={onClose}
      onConfirm={create}
    >
      <Field label="Label" hint="Where the key is used, for example “shop in Berlin”.">
        <input
          autocomplete="off"
          value={label}
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </Field>
      <Field label="Expires">
        <Select options={EXPIRIES} value={expiry} onChange={setExpiry} />
      </Field>
      {expiry === 'date' && (
        <Field label="Date (UTC)">
          <input
            type="date"
            required
            value={date}
            onInput={({ currentTarget }) => setDate(currentTarget.value)}
          />
        </Field>
      )}
    </ActionDialog>
  );
}

/** Shows a secret. Escape does not close it, because it cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: NewSecret; onClose: () => void }) {
  const { publicUrl } = useSession();
  const command = `curl -i '${publicUrl}${API_PREFIX}/pets?limit=1' -H 'Authorization: Bearer ${secret.secret}'`;
  return (
    <Dialog title={`Key ${secret.keyId} is ready`} closesOnEscape={false} onClose={onClose}>
      <p>
        <b>Copy it now.</b> The service keeps only a hash, so nobody can show it again.
      </p>
      <div class="secret">
        <code>{secret.secret}</code>
        <CopyButton text={secret.secret} of="Key" />
      </div>
      <h3>Try it</h3>
      <div class="secret">
        <code>{command}</code>
        <CopyButton text={command} of="Command" />
      </div>
      <div class="actions">
        <button type="button" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}

interface KeyDialogProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const OVERLAPS = [
  ['0s', 'At once'],
  ['1h', 'In an hour'],
  ['24h', 'In 24 hours'],
  ['7d', 'In 7 days'],
] as const;

export function RotateDialog({
  apiKey,
  onClose,
  onCreated,
}: Omit<KeyDialogProps, 'onDone'> & Pick<NewKeyProps, 'onCreated'>) {
  const [overlap, setOverlap] = useState('24h');
  const rotate = async () => {
    const { successor, secret } = await request<RotatedKey>('POST', `keys/${apiKey.id}/rotate`, {
      body: { overlap },
    });
    onCreated({ keyId: successor.id, secret });
  };
  return (
    <ActionDialog
      title={`Rotate ${nameOf(apiKey)}?`}
      action="Rotate"
      onClose={onClose}
      onConfirm={rotate}
    >
      <p>This creates a new key with the same label. Both work until the old one expires.</p>
      <Field label="The old key expires">
        <Select options={OVERLAPS} value={overlap} onChange={setOverlap} />
      </Field>
    </ActionDialog>
  );
}

export function RevokeDialog({ apiKey, onClose, onDone }: KeyDialogProps) {
  const revoke = async () => {
    await request('POST', `keys/${apiKey.id}/revoke`, { body: {} });
    onDone();
    announce(`Key ${apiKey.id} revoked.`);
  };
  return (
    <ActionDialog
      title={`Revoke ${nameOf(apiKey)}?`}
      action="Revoke"
      isDangerous
      onClose={onClose}
      onConfirm={revoke}
    >
      <p>Requests with this key get a 401 within a second. You cannot undo this.</p>
    </ActionDialog>
  );
}

export function UnbanDialog({ apiKey, onClose, onDone }: KeyDialogProps) {
  const unban = async () => {
    await request('POST', `keys/${apiKey.id}/unban`, { body: {} });
    onDone();
    announce(`Ban of key ${apiKey.id} lifted.`);
  };
  return (
    <ActionDialog
      title={`Lift the ban of ${nameOf(apiKey)}?`}
      action="Lift ban"
      onClose={onClose}
      onConfirm={unban}
    >
      <p>
        The key was banned because its client kept sending requests after a 429. Make sure that the
        client now waits.
      </p>
    </ActionDialog>
  );
}

function nameOf({ id, label }: Key): string {
  return label === '' ? `key ${id}` : `key ${id}, “${label}”`;
}
