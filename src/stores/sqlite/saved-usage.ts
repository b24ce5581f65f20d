import { type Database, SQLiteError } from 'bun:sqlite';
import type { Penalty } from '../../domain/ban.ts';
import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import type { Usage } from '../../domain/rate-limit.ts';
import type { UsageJournal, UsageReader } from '../../domain/usage-journal.ts';
import { explainFailure, IF_COUNTS_ARE_DAMAGED, isUnavailable } from './sqlite-errors.ts';

const SELECT_USAGE = 'SELECT counts FROM usage WHERE subject = ?';
const SELECT_PENALTIES = 'SELECT key_id AS keyId, penalty FROM penalties';

/** The counts that the service last saved, for the service itself and for commands. */
export class SavedUsage implements UsageReader, Omit<UsageJournal, 'save'> {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  findUsage(subject: string): Usage | undefined {
    const [row] = this.#read<{ counts: string }>(SELECT_USAGE, subject);
    return row && JSON.parse(row.counts);
  }

  loadPenalties(): [keyId: number, Penalty][] {
    const rows = this.#read<{ keyId: number; penalty: string }>(SELECT_PENALTIES);
    return rows.map(({ keyId, penalty }) => [keyId, JSON.parse(penalty)]);
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    return this.findUsage(subject);
  }

  async getPenalty(_: string, keyId: number): Promise<Penalty | undefined> {
    const query = 'SELECT penalty FROM penalties WHERE key_id = ?';
    const [row] = this.#read<{ penalty: string }>(query, keyId);
    return row && JSON.parse(row.penalty);
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
