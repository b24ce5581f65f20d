import type { Database } from 'bun:sqlite';
import type { Penalty } from '../domain/ban.ts';
import type { Usage } from '../domain/rate-limit.ts';
import type { UsageChanges, UsageJournal, UsageSnapshot } from '../domain/usage-journal.ts';
import { reading } from './database.ts';
import type { Writer } from './writer.ts';

export const USAGE_COLUMNS =
  'minute_start_s AS minuteStartSeconds, minute_used AS minuteUsed, day_start_s AS dayStartSeconds, day_used AS dayUsed';

type UsageRow = Usage & { subject: string };
type PenaltyRow = Omit<Penalty, 'strikes'> & { keyId: number; strikes: string };

export class SqliteUsageJournal implements UsageJournal {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  load(): Promise<UsageSnapshot> {
    return reading(() => ({
      usages: this.#database
        .query<UsageRow, []>(`SELECT subject, ${USAGE_COLUMNS} FROM usage`)
        .all()
        .map(({ subject, ...usage }) => [subject, usage] as const),
      penalties: this.#database
        .query<PenaltyRow, []>(
          `SELECT key_id AS keyId, refused_until_s AS refusedUntilSeconds, first_refused_at_s AS firstRefusedAtSeconds,
           refusals, strikes, banned_until_s AS bannedUntilSeconds, bans, unbanned_at AS unbannedAtMs
           FROM penalties`,
        )
        .all()
        .map(
          ({ keyId, strikes, ...penalty }) =>
            [keyId, { ...penalty, strikes: JSON.parse(strikes) as number[] }] as const,
        ),
    }));
  }

  async save(changes: UsageChanges): Promise<void> {
    await this.#writer.run({ kind: 'saveUsage', changes });
  }
}
