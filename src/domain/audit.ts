import type { RecordOf } from './transfer.ts';

/** How a change is made, for the audit. */
export interface Origin {
  /** Such as "accounts set-plan", or "console". */
  readonly command: string;
  /** The system user that ran the command, or the fingerprint of the token of the console. */
  readonly operator: string;
}

export type AuditEntry = RecordOf<'auditEntry'>;

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
