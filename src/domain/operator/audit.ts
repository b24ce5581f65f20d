import { exactJson } from '../../formats/json.ts';
import type { Account } from '../account.ts';
import { redactSecrets } from '../key-secret.ts';
import type { Pet } from '../pet.ts';
import { formatTime, formatTimeOrNull } from '../time-text.ts';
import type { ListedKey } from './account-store.ts';
import { accountJson } from './operator-json.ts';
import type { Records } from './transfer.ts';

/** Who makes a change, and with what. The audit records both. */
export interface Origin {
  /** A command such as "accounts set-plan", or "console". */
  readonly command: string;
  /** The system user that ran the command, or the fingerprint of the console's token. */
  readonly operator: string;
}

/** The origin of changes that the service makes itself. */
export const SERVICE: Origin = { command: 'serve', operator: '' };

export type AuditEntry = Records['auditEntry'];

/** The part of an entry that depends on the change alone. */
export type AuditedChange = Omit<AuditEntry, 'id' | 'createdAtMs' | keyof Origin>;

interface AuditFilter {
  readonly sinceMs?: number | undefined;
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
): AuditedChange {
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
): AuditedChange {
  const { id, accountId } = changed;
  const value = { ...keyValue(changed), successor: successor && keyValue(successor) };
  return changeOf(action, `key ${id}`, old && keyValue(old), value, accountId);
}

/** `old` or `changed` is undefined when the pet was added or removed. */
export function petChange(
  action: string,
  old: Pet | undefined,
  changed: Pet | undefined,
): AuditedChange {
  return changeOf(action, `pet ${(old ?? changed)?.id}`, old, changed);
}

/** `old` is undefined if there was nothing before, `changed` if nothing is left. */
export function changeOf(
  action: string,
  subject: string,
  old: object | undefined,
  changed: object | undefined,
  accountId: number | null = null,
): AuditedChange {
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
