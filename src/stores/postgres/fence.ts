import type { SQL } from 'bun';

/**
 * The history of a server as text, such as `00000002 at 0000000003000b28`: its timeline, and the position up to which
 * its log is on the disk. In the order of texts, an older history comes first. A position that was written but is not
 * on the disk may be lost in a crash, so it would be no sign of an older history. A standby has no history to compare.
 */
const HISTORY = `CASE WHEN pg_is_in_recovery() THEN '' ELSE
  left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' at ' ||
  lpad(to_hex((pg_current_wal_flush_lsn() - '0/0')::bigint), 16, '0') END`;
const NO_HISTORY = "''";
/** Makes a text that is greater than each history of a timeline. */
const AFTER_ALL = '~';

/** The SQLSTATEs of a server that does not offer these functions, or not to this user. */
const NOT_OFFERED = /^(42501|42883|0A000)$/;

export interface ServerState {
  readonly isWritable: boolean;
  /** The server would keep what is written in a power cut. */
  readonly isSafe: boolean;
  /** Empty if the server is a standby, or does not report its history. */
  readonly history: string;
}

/**
 * Keeps an instance from going back to a server whose history is older than one that it has used. Such a server lacks
 * pets that were confirmed, and would give their ids to other pets. It is an old primary that was frozen, or a copy of
 * the data from an earlier time.
 *
 * Responses may overtake each other. So a response must be compared with `seen` as it was before the query was sent.
 * The newest history is kept only in memory, so that a restart accepts any server.
 */
export class Fence {
  /** The newest history that this instance has used. */
  seen = '';
  /** An SQL expression for the history of the server. */
  column = HISTORY;

  constructor(private readonly onWarning: (message: string) => void) {}

  async look(sql: SQL): Promise<ServerState> {
    const { column } = this;
    const query = `SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
      current_setting('fsync') = 'on' AS "isSafe", ${column} AS history`;
    try {
      const [state] = await sql.unsafe<[ServerState]>(query);
      return state;
    } catch (error) {
      const { errno = '', message } = error as SQL.PostgresError;
      if (column === NO_HISTORY || !NOT_OFFERED.test(errno)) throw error;
      // Another query may have failed for the same reason meanwhile.
      if (this.column === column) {
        this.onWarning(`Old primaries cannot be recognized, because PostgreSQL says: ${message}`);
      }
      this.column = NO_HISTORY;
      return this.look(sql);
    }
  }

  /** Records the history of a server that is used from now on. */
  record(history: string): void {
    if (history > this.seen) this.seen = history;
  }

  /**
   * Reports a server that is refused. Its timeline stays refused, even once other writes have moved the server beyond
   * the position that was seen. Only a server that is promoted later has a newer timeline.
   */
  refuse(host: string, history: string): void {
    this.onWarning(
      `PostgreSQL at ${host} is not used, because its history is older than one that this instance has used, and ` +
        `confirmed pets may be missing there: its timeline is ${history}, after ${this.seen}. To accept it, for ` +
        'example after a restore or pg_upgrade, restart this instance.',
    );
    const timeline = timelineOf(history);
    if (timeline === timelineOf(this.seen)) this.seen = timeline + AFTER_ALL;
  }
}

export function isOlder(history: string, seenBefore: string): boolean {
  return history !== '' && history < seenBefore;
}

export function timelineOf(history: string): string {
  return history.slice(0, 8);
}
