import type { Database } from 'bun:sqlite';
import type { CountsJournal, SavedCounts } from '../../domain/counts-journal.ts';
import type { Counts } from '../../domain/rate-limit.ts';
import { IF_COUNTS_ARE_DAMAGED, readingOf } from './sqlite-errors.ts';

/** The counts that the service last saved, for the service itself and for commands. */
export function savedCounts(database: Database): SavedCounts & Omit<CountsJournal, 'save'> {
  /** Names the counts file: an operator who took it for the data file would restore a backup. */
  const reading = readingOf(database.filename, IF_COUNTS_ARE_DAMAGED);

  function run<Row>(query: string, ...values: (string | number)[]): Row[] {
    return reading(() => database.query<Row, (string | number)[]>(query).all(...values));
  }

  function findCounts(subject: string): Counts | undefined {
    const query = `SELECT minute_start AS minuteStartSeconds, minute_used AS minuteUsed,
      day_start AS dayStartSeconds, day_used AS dayUsed FROM usage WHERE subject = ?`;
    return run<Counts>(query, subject)[0];
  }

  return {
    findCounts,
    getCounts: async (subject) => findCounts(subject),
    loadPenalties() {
      const query = 'SELECT key_id AS keyId, penalty FROM penalties';
      const rows = run<{ keyId: number; penalty: string }>(query);
      return rows.map(({ keyId, penalty }) => [keyId, JSON.parse(penalty)]);
    },
    async getPenalty(_, keyId) {
      const query = 'SELECT penalty FROM penalties WHERE key_id = ?';
      const [row] = run<{ penalty: string }>(query, keyId);
      return row && JSON.parse(row.penalty);
    },
    async removeCounts(subject, keyIds) {
      run('DELETE FROM usage WHERE subject = ?', subject);
      for (const keyId of keyIds) run('DELETE FROM penalties WHERE key_id = ?', keyId);
    },
  };
}
