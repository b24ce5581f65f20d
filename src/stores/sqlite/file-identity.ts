import { type BigIntStats, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../domain/error.ts';

interface Names {
  /** The path that the operator gave, which may lead there through a symbolic link. */
  readonly link?: string;
  /** For an operator whose file is lost. */
  readonly advice?: string;
}

/**
 * Notices that an open file, or the log and the index that SQLite keeps next to it, was deleted, moved
 * or replaced. SQLite itself would go on writing to a file that no path leads to.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #logs: readonly string[];
  readonly #advice: string;
  readonly #identities: ReadonlyMap<string, string | undefined>;
  #size: bigint;

  /** The file must be open, in WAL mode. */
  constructor(
    path: string,
    {
      link = path,
      advice = 'Put it back, or restore a backup and restart the service.',
    }: Names = {},
  ) {
    this.#path = path;
    this.#size = statOf(path)?.size ?? 0n;
    this.#logs = [`${path}-wal`, `${path}-shm`];
    this.#advice = advice;
    const all = [link, path, ...this.#logs];
    this.#identities = new Map(all.map((each) => [each, identityOf(each)]));
  }

  /** Throws `StoreUnavailableError`. Takes some microseconds. */
  check(): void {
    for (const path of this.#identities.keys()) {
      if (!this.#isInPlace(path)) throw new StoreUnavailableError(this.#moved(path));
    }
  }

  /**
   * The open log or its index was deleted, and the file is in place. False if another process has begun
   * a log or an index: to copy the open log into the file would then damage it.
   */
  hasOnlyLostLog(): boolean {
    const isDeleted = (path: string) => identityOf(path) === undefined;
    return (
      this.#isInPlace(this.#path) &&
      this.#logs.some(isDeleted) &&
      this.#logs.every((path) => isDeleted(path) || this.#isInPlace(path))
    );
  }

  #isInPlace(path: string): boolean {
    const stat = statOf(path);
    if (toIdentity(stat) !== this.#identities.get(path)) return false;
    if (path !== this.#path || stat === undefined) return true;
    // Only VACUUM makes the file smaller. Otherwise it was emptied or overwritten.
    if (stat.size < this.#size) return false;
    this.#size = stat.size;
    return true;
  }

  #moved(path: string): Error {
    return new Error(
      `${path} was deleted, moved or replaced while the service runs. ${this.#advice}`,
    );
  }
}

/** The same for every path that leads to one file. Undefined if there is none. */
export function identityOf(path: string): string | undefined {
  return toIdentity(statOf(path));
}

function toIdentity(stat: BigIntStats | undefined): string | undefined {
  return stat && `${stat.dev}:${stat.ino}`;
}

/** Undefined too if the folder cannot be searched, or the disk fails. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
