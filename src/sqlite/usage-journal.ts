import type { Database } from 'bun:sqlite';
import type { Penalty } from '../domain/ban.ts';
import type { Usage } from '../domain/rate-limit.ts';
import type {
  UsageChanges,
  UsageJournal,
  UsageReader,
  UsageSnapshot,
} from '../domain/usage-journal.ts';
import { reading } from './database.ts';
import type { Writer } from './writer.ts';

const SELECT_USAGES = `SELECT subject, minute_start_s AS minuteStartSeconds,
  minute_used AS minuteUsed, day_start_s AS dayStartSeconds, day_used AS dayUsed FROM usage`;

const SELECT_PENALTIES = `SELECT key_id AS keyId, refused_until_s AS refusedUntilSeconds,
  first_refused_at_s AS firstRefusedAtSeconds, refusals, strikes,
  banned_until_s AS bannedUntilSeconds, bans, unbanned_at AS unbannedAtMs FROM penalties`;

type UsageRow = Usage & { subject: string };
type PenaltyRow = Omit<Penalty, 'strikes'> & { keyId: number; strikes: string };

/** What the service last saved, as the operator's command sees it. */
export class SqliteUsageReader implements UsageReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    const query = `${SELECT_USAGES} WHERE subject = ?`;
    return this.#database.query<UsageRow, [string]>(query).get(subject) ?? undefined;
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    const query = `${SELECT_PENALTIES} WHERE key_id = ?`;
    const row = this.#database.query<PenaltyRow, [number]>(query).get(keyId);
    return row === null ? undefined : toPenalty(row);
  }
}

export class SqliteUsageJournal implements UsageJournal {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async load(): Promise<UsageSnapshot> {
    return reading(() => {
      const usages = this.#database.query<UsageRow, []>(SELECT_USAGES).all();
      const penalties = this.#database.query<PenaltyRow, []>(SELECT_PENALTIES).all();
      return {
        usages: usages.map(({ subject, ...usage }) => [subject, usage] as const),
        penalties: penalties.map((row) => [row.keyId, toPenalty(row)] as const),
      };
    });
  }

  async save(changes: UsageChanges): Promise<void> {
    await this.#writer.run({ kind: 'saveUsage', changes });
  }
}

function toPenalty({ keyId: _, strikes, ...penalty }: PenaltyRow): Penalty {
  return { ...penalty, strikes: JSON.parse(strikes) as number[] };
}
