import { type Database, SQLiteError } from 'bun:sqlite';
import type { Penalty } from '../../domain/ban.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import type { Usage } from '../../domain/rate-limit.ts';
import type { UsageJournal, UsageReader } from '../../domain/usage-journal.ts';
import { explainFailure, IF_COUNTS_ARE_DAMAGED, isUnavailable } from './sqlite-errors.ts';

const SELECT_USAGE = `SELECT minute_start_s AS minuteStartSeconds, minute_used AS minuteUsed,
  day_start_s AS dayStartSeconds, day_used AS dayUsed
  FROM usage WHERE subject = ?`;

const SELECT_PENALTIES = `SELECT key_id AS keyId, refused_until_s AS refusedUntilSeconds,
  first_refused_at_s AS firstRefusedAtSeconds, refusals, strikes,
  banned_until_s AS bannedUntilSeconds, bans, unbanned_at AS unbannedAtMs FROM penalties`;

type PenaltyRow = Omit<Penalty, 'strikes'> & { keyId: number; strikes: string };

/** The counts that the service last saved, for the service itself and for commands. */
export class SavedUsage implements UsageReader, Omit<UsageJournal, 'save'> {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  findUsage(subject: string): Usage | undefined {
    return this.#read<Usage>(SELECT_USAGE, subject)[0];
  }

  loadPenalties(): [keyId: number, Penalty][] {
    return this.#read<PenaltyRow>(SELECT_PENALTIES).map((row) => [row.keyId, toPenalty(row)]);
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    return this.findUsage(subject);
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    const [row] = this.#read<PenaltyRow>(`${SELECT_PENALTIES} WHERE key_id = ?`, keyId);
    return row && toPenalty(row);
  }

  /** Names the counts file: an operator who took it for the data file would restore a backup. */
  #read<Row>(query: string, ...values: (string | number)[]): Row[] {
    try {
      return this.#database.query<Row, (string | number)[]>(query).all(...values);
    } catch (error) {
      if (!(error instanceof SQLiteError && isUnavailable(error.code ?? ''))) throw error;
      const action = `read the counts file ${this.#database.filename}`;
      const text = explainFailure(action, error, IF_COUNTS_ARE_DAMAGED);
      throw new StoreUnavailableError(new OperatorError(text));
    }
  }
}

function toPenalty({ keyId: _, strikes, ...penalty }: PenaltyRow): Penalty {
  return { ...penalty, strikes: JSON.parse(strikes) as number[] };
}
