import { exactJson } from '../../formats/json.ts';
import type { Account } from '../account.ts';
import { redactSecrets } from '../key-secret.ts';
import type { Pet } from '../pet.ts';
import { formatTime, formatTimeOrNull } from '../time-text.ts';
import type { ListedKey } from './account-store.ts';
import { accountJson } from './operator-json.ts';

/** How a change is made, for the audit. */
export interface Origin {
  /** Such as "accounts set-plan", or "console". */
  readonly command: string;
  /** The system user that ran the command, or the fingerprint of the token of the console. */
  readonly operator: string;
}

/** For changes that the service itself makes. */
export const SERVICE: Origin = { command: 'serve', operator: '' };

export interface AuditEntry extends Origin {
  readonly id: number;
  readonly createdAtMs: number;
  readonly action: string;
  /** A kind and an id, such as "pet 7". */
  readonly subject: string;
  /** Both as JSON. Null if there was none, or is none any more. */
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** Of a changed account or key. */
  readonly accountId: number | null;
}

/** The part of an entry that depends on the change alone. */
export type AuditedChange = Omit<AuditEntry, 'id' | 'createdAtMs' | keyof Origin>;

interface AuditFilter {
  readonly sinceMs?: number | undefined;
  /** The name of an account, or of one that was removed: only its changes and those of its keys. */
  readonly account?: string | undefined;
  /** For the next page: only entries with a smaller id. */
  readonly beforeId?: number | undefined;
  readonly limit?: number | undefined;
}

export interface AuditReader {
  /** The newest first. */
  listChanges(filter: AuditFilter): Promise<AuditEntry[]>;
}

/** `old` is undefined for a new account, which `firstKey` is created with, `changed` for a removed one. */
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

/** The time of a suspension says the state. */
function accountValue(account: Account) {
  const { state: _, ...value } = accountJson(account);
  return value;
}

/** A key is read without the hash of its secret. */
function keyValue({ id, accountName: account, label, successorId, ...key }: ListedKey) {
  return {
    id,
    account,
    label,
    // Left out of ordinary keys.
    scope: key.scope === 'all' ? undefined : key.scope,
    createdAt: formatTime(key.createdAtMs),
    expiresAt: formatTimeOrNull(key.expiresAtMs),
    revokedAt: formatTimeOrNull(key.revokedAtMs),
    unbannedAt: formatTimeOrNull(key.unbannedAtMs || null),
    successorId,
  };
}

/** An operator may have pasted a secret into a label, a name or a reason. */
function toJson(value: object | undefined): string | null {
  return value === undefined ? null : redactSecrets(exactJson(value));
}
