import type { Database } from 'bun:sqlite';
import type { CountsChanges, CountsJournal, SavedCounts } from '#domain/counts-journal.ts';
import { DAY_SECONDS, MINUTE_SECONDS } from '#domain/durations.ts';
import type { Counts } from '#domain/rate-limit.ts';
import { IF_COUNTS_ARE_UNUSABLE, queryRunner } from './sqlite-errors.ts';

type Value = string | number;

/**
 * The counts that the service last saved, for the service itself and for commands. The file is called
 * `-usage` and its table `usage`, which are names from before the counts were called counts. Only the writer
 * thread saves.
 */
export function countsFile(
  database: Database,
): SavedCounts & Omit<CountsJournal, 'save'> & { save(changes: CountsChanges): void } {
  // Errors name this file. An operator who took it for the data file would restore a backup.
  const runQuery = queryRunner(database.filename, IF_COUNTS_ARE_UNUSABLE);

  function run<Row>(query: string, ...values: Value[]): Row[] {
    const statement = database.query<Row, Value[]>(query).safeIntegers(false);
    return runQuery(() => statement.all(...values));
  }

  function findCounts(subject: string): Counts | undefined {
    const query = `SELECT minute_start AS minuteStartSeconds, minute_used AS minuteUsed,
      day_start AS dayStartSeconds, day_used AS dayUsed FROM usage WHERE subject = ?`;
    return run<Counts>(query, subject)[0];
  }

  function deletePenalty(keyId: number): void {
    run('DELETE FROM penalties WHERE key_id = ?', keyId);
  }

  const save = database.transaction(({ counts, penalties, endedBySeconds }: CountsChanges) => {
    const putCounts = database.query<never, Record<string, Value>>(
      `INSERT OR REPLACE INTO usage (subject, minute_start, minute_used, day_start, day_used)
       VALUES ($subject, $minuteStartSeconds, $minuteUsed, $dayStartSeconds, $dayUsed)`,
    );
    for (const [subject, each] of counts) putCounts.run({ subject, ...each });
    if (endedBySeconds !== undefined) {
      const deleteEnded = 'DELETE FROM usage WHERE day_start <= ? AND minute_start <= ?';
      run(deleteEnded, endedBySeconds - DAY_SECONDS, endedBySeconds - MINUTE_SECONDS);
    }
    const putPenalty = 'INSERT OR REPLACE INTO penalties (key_id, penalty) VALUES (?, ?)';
    for (const [keyId, penalty] of penalties) {
      // On the way to the writer thread, JSON turned undefined into null.
      if (penalty) run(putPenalty, keyId, JSON.stringify(penalty));
      else deletePenalty(keyId);
    }
  });

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
      keyIds.forEach(deletePenalty);
    },
    save: (changes) => runQuery(() => save.immediate(changes)),
  };
}
