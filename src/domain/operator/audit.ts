import type { Account } from '#domain/account.ts';
import { redactSecrets } from '#domain/key-secret.ts';
import { formatTime, formatTimeOrNull } from '#domain/time-text.ts';
import { exactJson, type JsonValue, parseJson } from '#formats/json.ts';
import type { ListedKey } from './account-store.ts';
import { accountJson } from './operator-json.ts';
import type { Records } from './transfer.ts';

/** The person who makes a change, and the program that the person uses. The audit records both. */
export interface Origin {
  /** A command such as "accounts set-plan", or "console". */
  readonly command: string;
  /** The system user that ran the command, or the name of the operator who signed in to the console. */
  readonly operator: string;
}

/** The origin of changes that the service makes itself. */
export const SERVICE: Origin = { command: 'serve', operator: '' };

export type AuditEntry = Records['auditEntry'];

/** The part of an entry that depends on the change alone. */
export type AuditedChange = ReturnType<typeof changeOf>;

export interface AuditFilter {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** The system user or the operator who made the change. */
  readonly operator?: string | undefined;
  /** An action such as "key.revoke", or words of it, in their order. */
  readonly action?: string | undefined;
  /** The name of an account, which may have been removed. Selects its changes and those of its keys. */
  readonly account?: string | undefined;
  /** Selects the next page: only entries with a smaller id. */
  readonly beforeId?: number | undefined;
  readonly limit?: number | undefined;
}

export interface AuditReader {
  /** Returns the newest entries first. */
  listChanges(filter: AuditFilter): Promise<AuditEntry[]>;
}

/** `old` is undefined for a new account, which may get a `firstKey`. `changed` is undefined for a removed one. */
export function accountChange(
  action: string,
  old: Account | undefined,
  changed: Account | undefined,
  firstKey?: ListedKey,
) {
  const accountId = (changed ?? old)?.id ?? null;
  const value = changed && { ...accountValue(changed), firstKey: firstKey && keyValue(firstKey) };
  return changeOf(action, `account ${accountId}`, old && accountValue(old), value, accountId);
}

/** `successor` replaces the key after a rotation. */
export function keyChange(
  action: string,
  old: ListedKey | undefined,
  changed: ListedKey,
  successor?: ListedKey,
) {
  const { id, accountId } = changed;
  const value = { ...keyValue(changed), successor: successor && keyValue(successor) };
  return changeOf(action, `key ${id}`, old && keyValue(old), value, accountId);
}

/** `old` is undefined if there was nothing before, `changed` if nothing is left. */
export function changeOf(
  action: string,
  subject: string,
  old: object | undefined,
  changed: object | undefined,
  accountId: number | null = null,
) {
  return { action, subject, accountId, oldValue: toJson(old), newValue: toJson(changed) };
}

/** Leaves out the state, because the time of the suspension says the same. */
function accountValue(account: Account) {
  const { state: _, ...value } = accountJson(account);
  return value;
}

/** A listed key has neither its secret nor the hash of it, so none can end up in the audit. */
function keyValue({ id, accountName: account, label, successorId, ...key }: ListedKey) {
  return {
    id,
    account,
    label,
    // An ordinary key has no scope in the audit.
    scope: key.scope === 'all' ? undefined : key.scope,
    createdAt: formatTime(key.createdAtMs),
    expiresAt: formatTimeOrNull(key.expiresAtMs),
    revokedAt: formatTimeOrNull(key.revokedAtMs),
    unbannedAt: formatTimeOrNull(key.unbannedAtMs || null),
    successorId,
  };
}

/** Removes secrets, because an operator may have pasted one into a label, a name or a reason. */
function toJson(value: object | undefined): string | null {
  return value === undefined ? null : redactSecrets(exactJson(value));
}

/** Fields that an audit entry already shows as its subject, its account and its time. */
const LEFT_OUT = ['id', 'account', 'createdAt'];

/**
 * Returns the fields that differ, or all fields of something that was added or removed. The text of a missing value
 * is empty.
 */
function changesOf(entry: AuditEntry) {
  const old = fieldsOf(entry.oldValue);
  const changed = fieldsOf(entry.newValue);
  // After a rotation, `successorId` already names the successor.
  const leftOut = isChange(entry) ? ['successor'] : LEFT_OUT;
  return Object.keys({ ...old, ...changed })
    .filter((name) => !leftOut.includes(name))
    .map((name) => ({
      field: nameInWords(name),
      from: inWords(name, old[name]),
      to: inWords(name, changed[name]),
    }))
    .filter(({ from, to }) => from !== to);
}

/** An entry as the console shows it. `account` is the present name of its account, or null if it has none. */
export function auditEntryJson(entry: AuditEntry, account: string | null) {
  const { id, createdAtMs, action, command, operator } = entry;
  return {
    id,
    at: formatTime(createdAtMs),
    action,
    // A removed account has no present name, but the entry knows the name it had.
    subject: account === null ? subjectInWords(entry) : entry.subject,
    command,
    operator,
    account,
    changes: changesOf(entry),
  };
}

/** Describes a change as "plan: free → pro", and something that was added or removed by its fields. */
export function changeInWords(entry: AuditEntry): string {
  return changesOf(entry)
    .map(({ field, from, to }) =>
      isChange(entry) ? `${field}: ${from || 'none'} → ${to || 'none'}` : `${field}: ${to || from}`,
    )
    .join(', ');
}

/** Names accounts as people know them. The name is the one at the time of the change. */
export function subjectInWords({ subject, oldValue, newValue }: AuditEntry): string {
  const { name, account } = JSON.parse(newValue ?? oldValue ?? '{}');
  if (subject.startsWith('account ')) return `account "${name}"`;
  return subject.startsWith('key ') ? `${subject} of "${account}"` : subject;
}

/** True unless something was added or removed. */
function isChange({ oldValue, newValue }: AuditEntry): boolean {
  return oldValue !== null && newValue !== null;
}

function fieldsOf(json: string | null): Record<string, JsonValue> {
  return Object(parseJson(json ?? '{}'));
}

/** Turns "suspensionReason" into "suspension reason", and "expiresAt" into "expires". */
function nameInWords(field: string): string {
  return field.replace(/(At|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns an empty text for a missing value. */
function inWords(field: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const isCount = typeof value === 'bigint' && !/id$/i.test(field);
  if (isCount) return value.toLocaleString('en-US');
  if (typeof value !== 'object') return String(value);
  if ('id' in value) return String(value['id']);
  return Object.entries(value)
    .map(([name, each]) => `${nameInWords(name)} ${inWords(name, each)}`)
    .join(', ');
}
