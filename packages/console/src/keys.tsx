import { useState } from 'preact/hooks';
import { closeDialog, Dialog, Field, type FieldProps, FormButton } from './dialog.tsx';
import { Ago, formatDate, formatDateTime } from './format.tsx';
import { Badge, noted } from './marks.tsx';
import {
  API_PREFIX,
  accountPath,
  type CreatedKey,
  type Key,
  type KeyScope,
  useSession,
} from './service.ts';
import { type Column, figure, moment } from './table.tsx';

/** The columns after the name of a key. */
export const KEY_COLUMNS: readonly Column<Key>[] = [
  {
    title: 'State',
    sort: ({ state }) => state ?? '',
    cell: ({ state, bannedUntil }) =>
      noted(
        <Badge>{state ?? 'unknown'}</Badge>,
        state === 'banned' && (
          <>
            ends <Ago time={bannedUntil} />
          </>
        ),
      ),
  },
  figure('Last 30 days', ({ requestsIn30Days }) => requestsIn30Days),
  moment('Last accepted', ({ lastUsedAt }) => lastUsedAt),
  {
    title: 'Last refused',
    sort: ({ lastRefusedAt }) => lastRefusedAt ?? '',
    cell: ({ lastRefusedAt, lastRefusal }) => noted(<Ago time={lastRefusedAt} />, lastRefusal),
  },
  moment('Expires', ({ expiresAt }) => expiresAt, 'never'),
  { title: 'Actions', kind: 'actions', cell: Actions },
];

/** The columns in the list of one account. */
export const ACCOUNT_KEY_COLUMNS: readonly Column<Key>[] = [
  { title: 'Key', kind: 'name', sort: ({ label }) => label, cell: KeyName },
  ...KEY_COLUMNS,
];

export function KeyName({ id, lastFour, label, scope, successorId, createdAt }: Key) {
  return noted(
    label ? <bdi>{label}</bdi> : <span class="quiet">No label</span>,
    <>
      Key {id}, ends in <code>{lastFour}</code>
      {scope === 'read' && ', read-only'}, created {formatDate(createdAt)}
      {successorId !== null && `, replaced by key ${successorId}`}
    </>,
  );
}

function Actions(key: Key) {
  const { id, label, state, expiresAt, bannedUntil, successorId } = key;
  const hasEnded = state === 'revoked' || state === 'expired';
  const of = nameOf(key);
  const path = `keys/${id}`;
  return (
    <span class="buttons">
      {!hasEnded && (bannedUntil !== null || state === null) && (
        <FormButton label="Unban" of={of} path={`${path}/unban`} done={`Ban of key ${id} lifted.`}>
          <p>
            The key was banned because its client kept sending requests after a 429. Make sure that
            the client now waits.
          </p>
        </FormButton>
      )}
      <FormButton label="Change" of={of} path={`${path}/update`} done={`Key ${id} changed.`}>
        <Field name="label" label="Label" defaultValue={label} />
        {state !== 'revoked' && (
          <ExpiryField
            label="New expiry"
            hint={`Leave it empty to keep the present expiry: ${expiresAt === null ? 'never' : formatDateTime(expiresAt)}.`}
          />
        )}
      </FormButton>
      {!hasEnded && successorId === null && (
        <FormButton<CreatedKey>
          label="Rotate"
          of={of}
          path={`${path}/rotate`}
          done={(created) => <SecretDialog {...created} />}
        >
          <p>
            This creates a new key with the same label and access. The old key works until it
            expires.
          </p>
          <Field name="overlap" label="The old key expires" options={OVERLAPS} defaultValue="24h" />
          <ExpiryField
            label="The new key expires"
            defaultValue={key.renewedUntil ?? 'never'}
            required
          />
        </FormButton>
      )}
      {state !== 'revoked' && (
        <FormButton
          label="Revoke"
          of={of}
          isDangerous
          path={`${path}/revoke`}
          done={`Key ${id} revoked.`}
        >
          <p>Requests with this key get a 401 within a second. You cannot undo this.</p>
        </FormButton>
      )}
    </span>
  );
}

const SCOPES: Readonly<Record<KeyScope, string>> = {
  all: 'Read and write',
  read: 'Read-only',
};

export function NewKeyButton({ accountName }: { accountName: string }) {
  return (
    <FormButton<CreatedKey>
      label="Create key"
      of={`for ${accountName}`}
      isPrimary
      path={`${accountPath(accountName)}/keys`}
      done={(created) => <SecretDialog {...created} />}
    >
      <Field
        name="label"
        label="Label"
        hint="Where the key is used, for example “shop in Berlin”."
      />
      <Field
        name="scope"
        label="Access"
        options={SCOPES}
        hint="You cannot change it later. In a web page, use a read-only key."
      />
      <ExpiryField label="The new key expires" defaultValue="never" required />
    </FormButton>
  );
}

function ExpiryField({ hint = '', ...field }: Omit<FieldProps, 'name'>) {
  return (
    <Field
      name="expires"
      hint={`A time such as 90d, a date such as 2030-12-31 (UTC, with that day), or never. ${hint}`}
      {...field}
    />
  );
}

/** Shows a secret. Escape does not close it, because it cannot be shown again. */
function SecretDialog({ id, secret }: CreatedKey) {
  const { publicUrl } = useSession();
  const command = `curl -i '${publicUrl}${API_PREFIX}/pets?limit=1' -H 'Authorization: Bearer ${secret}'`;
  return (
    <Dialog title={`Key ${id} is ready`} closesOnEscape={false}>
      <p>
        <b>Copy it now.</b> The service keeps only a hash, so nobody can show it again.
      </p>
      <Copyable text={secret} name="key" />
      <h3>Try it</h3>
      <Copyable text={command} name="command" />
      <div class="buttons">
        <button type="button" onClick={closeDialog}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}

/** A text with a button that copies it. A click on the text selects all of it. */
function Copyable({ text, name }: { text: string; name: string }) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied.');
    } catch {
      // Without HTTPS, browsers allow the clipboard only to pages of the same machine.
      setOutcome('The browser does not allow this. Select the text and copy it.');
    }
  };
  return (
    <div class="secret">
      <code>{text}</code>
      <button type="button" class="secondary small" onClick={copy} aria-label={`Copy the ${name}`}>
        Copy
      </button>
      <span class="sub" role="status">
        {outcome}
      </span>
    </div>
  );
}

const OVERLAPS = {
  '0h': 'At once',
  '1h': 'In an hour',
  '24h': 'In 24 hours',
  '168h': 'In 7 days',
};

function nameOf({ id, label }: Key): string {
  return label ? `key ${id}, “${label}”` : `key ${id}`;
}
