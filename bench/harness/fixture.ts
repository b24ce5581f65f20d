import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { mintSecret } from '../../src/domain/api-key.ts';
import { PET_STATUSES, type Pet } from '../../src/domain/pet.ts';
import type { StoreRecord, StoreTransfer } from '../../src/domain/transfer.ts';
import { platform } from '../../src/platform.ts';
import { openSqliteTransfer } from '../../src/sqlite/transfer.ts';

/** What a store holds before it is measured. Nothing in it is left to chance. */
export interface Fixture {
  readonly name: string;
  readonly pets: number;
  /** Accounts that send requests and are never refused. */
  readonly busyAccounts: number;
  /** Accounts that may send one request a day: the second one is refused. */
  readonly spentAccounts: number;
}

export const SMALL: Fixture = {
  name: 'small',
  pets: 1_000,
  busyAccounts: 1,
  // So many that none is refused often enough to be banned in a run of the usual length.
  spentAccounts: 4_000,
};
export const LARGE: Fixture = {
  name: 'large',
  pets: 1_000_000,
  busyAccounts: 100_000,
  spentAccounts: 0,
};

const MIGRATIONS = join(import.meta.dir, '../../migrations/sqlite');
const UNLIMITED = 1_000_000_000;
const NAMES = ['Rex', 'Tom', 'Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Ruby'];
const CATEGORIES = 50;

export function petOf(id: number): Pet {
  return {
    id: BigInt(id),
    name: `${NAMES[id % NAMES.length]} ${id}`,
    categoryId: BigInt((id % CATEGORIES) + 1),
    status: PET_STATUSES[id % PET_STATUSES.length] ?? 'available',
  };
}

/** The secret of an account's one key: the same in every run, so that it need not be kept. */
export function secretOf(accountId: number): string {
  const bytes = new Uint8Array(64);
  // Digits of base 62, each of which stands for a character of its own.
  for (let place = 0, rest = accountId; rest > 0; place++, rest = Math.floor(rest / 62)) {
    bytes[place] = rest % 62;
  }
  return mintSecret(() => bytes);
}

/** A well-formed key that no account has. */
export const UNKNOWN_SECRET = secretOf(2 ** 31);

export function spentAccountIds({ busyAccounts, spentAccounts }: Fixture): number[] {
  return Array.from({ length: spentAccounts }, (_, index) => busyAccounts + index + 1);
}

async function* recordsOf(fixture: Fixture): AsyncIterable<StoreRecord> {
  const { pets, busyAccounts, spentAccounts } = fixture;
  const accounts = busyAccounts + spentAccounts;
  const createdAtMs = 0;
  for (let id = 1; id <= accounts; id++) {
    const limit = id <= busyAccounts ? UNLIMITED : 1;
    const limits = { perMinute: limit, perDay: limit };
    const value = {
      id,
      name: `account-${id}`,
      plan: 'enterprise' as const,
      ...limits,
      createdAtMs,
    };
    yield { kind: 'account', value };
  }
  for (let id = 1; id <= accounts; id++) {
    const hash = platform.sha256(secretOf(id)).toHex();
    const life = { createdAtMs, expiresAtMs: null, revokedAtMs: null, unbannedAtMs: 0 };
    yield {
      kind: 'key',
      value: { id, accountId: id, hash, label: '', ...life, successorId: null },
    };
  }
  for (let id = 1; id <= pets; id++) yield { kind: 'pet', value: petOf(id) };
}

export async function fill(store: StoreTransfer, fixture: Fixture): Promise<void> {
  await store.importAll(recordsOf(fixture));
}

/** The data file of a fixture, made once, the way that `store import` makes one. */
export async function fixtureFile(folder: string, fixture: Fixture): Promise<string> {
  const path = join(folder, `${fixture.name}-${versionOf(fixture)}.db`);
  if (existsSync(path)) return path;
  console.error(`Making a store of ${fixture.pets.toLocaleString('en-US')} animals, this once.`);
  const workshop = join(folder, 'unfinished');
  rmSync(workshop, { recursive: true, force: true });
  const unfinished = join(workshop, 'store.db');
  {
    await using store = openSqliteTransfer(unfinished);
    await fill(store, fixture);
  }
  renameSync(unfinished, path);
  rmSync(workshop, { recursive: true });
  return path;
}

/** Changes with all that the file depends on: the schema, and what is put into it. */
function versionOf(fixture: Fixture): string {
  const sources = [...new Glob('*.sql').scanSync({ cwd: MIGRATIONS, absolute: true })].sort();
  const texts = [import.meta.path, ...sources].map((file) => readFileSync(file, 'utf8'));
  return Bun.hash(`${JSON.stringify(fixture)}${texts.join('')}`).toString(36);
}
