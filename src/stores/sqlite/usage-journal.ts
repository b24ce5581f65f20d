import { type Database, SQLiteError } from 'bun:sqlite';
import type { Penalty } from '../../domain/ban.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import type { Usage } from '../../domain/rate-limit.ts';
import type { UsageChanges, UsageJournal, UsageReader } from '../../domain/usage-journal.ts';
import { IF_COUNTS_ARE_DAMAGED, isDamaged, isUnavailable } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

const SELECT_USAGE = `SELECT minute_start_s AS minuteStartSeconds, minute_used AS minuteUsed,
  day_start_s AS dayStartSeconds, day_used AS dayUsed
  FROM usage WHERE subject = ?`;

const SELECT_PENALTIES = `SELECT key_id AS keyId, refused_until_s AS refusedUntilSeconds,
  first_refused_at_s AS firstRefusedAtSeconds, refusals, strikes,
  banned_until_s AS bannedUntilSeconds, bans, unbanned_at AS unbannedAtMs FROM penalties`;

type PenaltyRow = Omit<Penalty, 'strikes'> & { keyId: number; strikes: string };

/** The counts that the service last saved, for commands. */
export class SqliteUsageReader implements UsageReader {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    return findUsage(this.#database, subject);
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    const query = `${SELECT_PENALTIES} WHERE key_id = ?`;
    return reading(this.#database, (database) => {
      const row = database.query<PenaltyRow, [number]>(query).get(keyId);
      return row === null ? undefined : toPenalty(row);
    });
  }
}

export class SqliteUsageJournal implements UsageJournal {
  readonly #database: Database;
  readonly #writer: Writer;

  /** Reads from the counts file, and writes to it through the writer thread. */
  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  findUsage(subject: string): Usage | undefined {
    return findUsage(this.#database, subject);
  }

  loadPenalties(): [keyId: number, Penalty][] {
    return reading(this.#database, (database) => {
      const rows = database.query<PenaltyRow, []>(SELECT_PENALTIES).all();
      return rows.map((row) => [row.keyId, toPenalty(row)]);
    });
  }

  save(changes: UsageChanges): Promise<void> {
    return this.#writer.saveUsage(changes);
  }
}

function findUsage(database: Database, subject: string): Usage | undefined {
  return reading(database, () => {
    return database.query<Usage, [string]>(SELECT_USAGE).get(subject) ?? undefined;
  });
}

/** Names the counts file: an operator who took it for the data file would restore a backup. */
function reading<T>(database: Database, query: (database: Database) => T): T {
  try {
    return query(database);
  } catch (error) {
    const { code = '', message } = error as SQLiteError;
    if (!(error instanceof SQLiteError && isUnavailable(code))) throw error;
    const text = `Cannot read the counts file ${database.filename}: ${message}.`;
    const advice = isDamaged(code) ? ` It is damaged. ${IF_COUNTS_ARE_DAMAGED}` : '';
    throw new StoreUnavailableError(new OperatorError(text + advice));
  }
}

function toPenalty({ keyId: _, strikes, ...penalty }: PenaltyRow): Penalty {
  return { ...penalty, strikes: JSON.parse(strikes) as number[] };
}
