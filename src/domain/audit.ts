import type { ImportedPets } from './operator-pets.ts';
import { type Pet, petToJson } from './pet.ts';
import type { RecordCounts, RecordOf } from './transfer.ts';

/** How a change is made, for the audit. */
export interface Origin {
  /** Such as "accounts set-plan", or "console". */
  readonly command: string;
  /** The system user that ran the command, or the fingerprint of the token of the console. */
  readonly operator: string;
}

export type AuditEntry = RecordOf<'auditEntry'>;

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** The part of an entry that depends on the change alone. */
export type Change = Omit<NewAuditEntry, 'createdAtMs' | keyof Origin>;

export interface AuditFilter {
  readonly sinceMs?: number | undefined;
  /** Changes of the account and of its keys. */
  readonly accountId?: number | undefined;
  /** For the next page: only entries with a smaller id. */
  readonly beforeId?: number | undefined;
  readonly limit?: number | undefined;
}

export interface AuditReader {
  /** The newest first. */
  listChanges(filter: AuditFilter): Promise<AuditEntry[]>;
}

/** `old` or `changed` is undefined when the pet was added or removed. */
export function petChange(action: string, old: Pet | undefined, changed: Pet | undefined): Change {
  return {
    action,
    subject: `pet ${(old ?? changed)?.id}`,
    accountId: null,
    oldValue: old === undefined ? null : petToJson(old),
    newValue: changed === undefined ? null : petToJson(changed),
  };
}

export function importChange({ count, firstId, lastId }: Required<ImportedPets>): Change {
  return {
    action: 'pet.import',
    subject: `pets ${firstId} to ${lastId}`,
    accountId: null,
    oldValue: null,
    newValue: `{"count":${count},"firstId":${firstId},"lastId":${lastId}}`,
  };
}

export function storeImportChange(counts: RecordCounts): Change {
  return storeChange('store.import', { counts });
}

/** `file` is the backup. */
export function storeRestoreChange(file: string, counts: Partial<RecordCounts>): Change {
  return storeChange('store.restore', { file, counts });
}

function storeChange(action: string, value: object): Change {
  const newValue = JSON.stringify(value);
  return { action, subject: 'store', accountId: null, oldValue: null, newValue };
}
