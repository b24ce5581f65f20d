import type { Database } from 'bun:sqlite';
import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import { IdempotencyKeyReusedError } from '../../domain/error.ts';
import { INT64_MIN } from '../../domain/int64.ts';
import { hasValidChecksum } from '../../domain/key-secret.ts';
import { fromKnownKeyRow, type KnownKeyRow } from '../../domain/operator/account-store.ts';
import type {
  CreatedPet,
  IdempotencyKey,
  NewPet,
  Pet,
  PetQuery,
  PetStore,
} from '../../domain/pet.ts';
import type { Revision } from '../../domain/revision.ts';
import { hashSecret, SELECT_KNOWN_KEYS, SELECT_PETS } from '../sql/tables.ts';
import type { Reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

/** Statements of one connection, which only reads. They are prepared once, for every request. */
export class SqliteKeyFinder implements KeyFinder {
  readonly #reading: Reading;
  readonly #byHash;

  constructor(database: Database, reading: Reading) {
    this.#reading = reading;
    const select = `${SELECT_KNOWN_KEYS} WHERE k.hash = ?`;
    this.#byHash = database.prepare<KnownKeyRow, [Uint8Array]>(select).safeIntegers(false);
  }

  findKey(secret: string): KnownKey | undefined {
    if (!hasValidChecksum(secret)) return undefined;
    const row = this.#reading(() => this.#byHash.get(hashSecret(secret)));
    return row === null ? undefined : fromKnownKeyRow(row);
  }
}

/** Reads on the main thread and writes through the writer thread. */
export class SqlitePetStore implements PetStore {
  readonly #reading: Reading;
  readonly #writer: Writer;
  readonly #now: () => number;
  readonly #onCreated: () => void;
  readonly #byId;
  readonly #page;
  readonly #pageOfStatus;

  constructor(
    database: Database,
    reading: Reading,
    writer: Writer,
    now: () => number,
    onCreated: () => void,
  ) {
    this.#reading = reading;
    this.#writer = writer;
    this.#now = now;
    this.#onCreated = onCreated;
    this.#byId = database.prepare<Pet, [bigint]>(`${SELECT_PETS} WHERE id = ?`);
    this.#page = database.prepare<Pet, [bigint, number]>(
      `${SELECT_PETS} WHERE id > ? ORDER BY id LIMIT ?`,
    );
    this.#pageOfStatus = database.prepare<Pet, [string, bigint, number]>(
      `${SELECT_PETS} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    );
  }

  getPet(id: bigint): Pet | undefined {
    return this.#reading(() => this.#byId.get(id) ?? undefined);
  }

  listPets({ status, after = INT64_MIN, limit }: PetQuery): Pet[] {
    return this.#reading(() =>
      status === undefined
        ? this.#page.all(after, limit)
        : this.#pageOfStatus.all(status, after, limit),
    );
  }

  async createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    const text = { ...pet, categoryId: `${pet.categoryId}` };
    const creation = { pet: text, idempotencyKey, nowMs: this.#now() };
    const result = await this.#writer.create(creation);
    if ('createdId' in result) {
      this.#onCreated();
      return { pet: { ...pet, id: BigInt(result.createdId) }, replayed: false };
    }
    const { id, name, categoryId, status, fingerprint } = result;
    if (fingerprint !== idempotencyKey?.fingerprint) throw new IdempotencyKeyReusedError();
    const earlier = { id: BigInt(id), name, categoryId: BigInt(categoryId), status };
    return { pet: earlier, replayed: true };
  }
}

const FRESH_MS = 5;

/**
 * SQLite knows whether another connection has written. Only then is the file's own count of changes
 * read. Asking takes as long as reading a pet, so it happens at most once in five milliseconds.
 */
export class SqliteRevision implements Revision {
  readonly #reading: Reading;
  readonly #dataVersion;
  readonly #changeCount;
  #writes = -1;
  #changes = 0;
  #freshUntilMs = 0;

  /** The connection must not write: SQLite does not report a connection's own commits. */
  constructor(database: Database, reading: Reading) {
    this.#reading = reading;
    this.#dataVersion = database.prepare<{ data_version: bigint }, []>('PRAGMA data_version');
    this.#changeCount = database.prepare<{ number: bigint }, []>('SELECT number FROM revision');
  }

  readonly changes = (): number => {
    this.#refresh();
    return this.#changes;
  };

  readonly writes = (): number => {
    this.#refresh();
    return this.#writes;
  };

  /** This process has written: the next read must see it. */
  readonly expire = (): void => {
    this.#freshUntilMs = 0;
  };

  #refresh(): void {
    const nowMs = performance.now();
    if (nowMs < this.#freshUntilMs) return;
    this.#reading(() => {
      const writes = Number(this.#dataVersion.get()?.data_version);
      if (writes === this.#writes) return;
      this.#changes = Number(this.#changeCount.get()?.number);
      this.#writes = writes;
    });
    this.#freshUntilMs = nowMs + FRESH_MS;
  }
}
