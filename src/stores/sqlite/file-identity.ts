import { statSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/error.ts';

/**
 * Notices that the open data file or its log was deleted, moved or replaced. SQLite itself would go on
 * writing to a file that no path leads to.
 */
export class FileIdentity {
  readonly #identities: ReadonlyMap<string, string | undefined>;

  /** The file must be open, in WAL mode. `link` is the path that the operator gave. */
  constructor(path: string, link: string) {
    this.#identities = new Map([link, `${path}-wal`].map((each) => [each, identityOf(each)]));
  }

  /** Throws `StoreUnavailableError`. Takes some microseconds. */
  check(): void {
    for (const [path, identity] of this.#identities) {
      if (identityOf(path) !== identity) throw new StoreUnavailableError(moved(path));
    }
  }
}

function moved(path: string): Error {
  return new Error(
    `${path} was deleted, moved or replaced while the service runs. ` +
      'Put it back, or restore a backup and restart the service.',
  );
}

/** The same for every path that leads to one file. Undefined if there is none, or the disk fails. */
export function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
