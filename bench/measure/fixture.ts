import { mintSecret } from '../../src/domain/key-secret.ts';
import { hashSecret } from '../../src/stores/sql/sql.ts';
import { commandOf, NEUTRAL_FOLDER } from './checkout.ts';

/** The content of a store before it is measured. It is the same in every run. */
export interface Fixture {
  readonly pets: number;
  /** Accounts that send requests and are never refused. */
  readonly busyAccounts: number;
  /**
   * Accounts that may send one request a day. By default there are 4,000. With so many, no account sends enough
   * refused requests to be banned.
   */
  readonly spentAccounts?: number;
}

export const SMALL: Fixture = { pets: 1_000, busyAccounts: 1 };
export const LARGE: Fixture = { pets: 1_000_000, busyAccounts: 100_000 };
export const SPENT_ACCOUNTS = 4_000;
/** Without a valid key, an address may send 60 requests a minute. With this many addresses, no request gets a 429. */
export const ADDRESSES = 30_000;

const NAMES = ['Rex', 'Tom', 'Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Ruby'];
const STATUSES = ['available', 'pending', 'sold'];
const CATEGORIES = 50;
const UNLIMITED = 1_000_000_000;

export function newPetOf(id: number) {
  const name = `${NAMES[id % NAMES.length]} ${id}`;
  return { name, categoryId: (id % CATEGORIES) + 1, status: STATUSES[id % STATUSES.length] };
}

/** The key of an account. The key derives from the id of the account, so no run has to store it. */
export function keyOf(accountId: number): string {
  return mintSecret((length) => Buffer.from(String(accountId).padEnd(length, '-')));
}

/** A well-formed key that belongs to no account. */
export const UNKNOWN_KEY = keyOf(2 ** 31);

/** Imports a fixture with the command of a checkout, which must be the one that this file is in. */
export function importFixture(checkout: string, databaseUrl: string, fixture: Fixture): void {
  const words = commandOf(checkout, 'store', 'import');
  const { success, stderr } = Bun.spawnSync(words, {
    cwd: NEUTRAL_FOLDER,
    env: { PATH: Bun.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdin: new Blob([...exportOf(fixture).map((line) => `${JSON.stringify(line)}\n`)]),
  });
  if (!success) throw new Error(`store import failed: ${stderr}`);
}

/** The lines that `store export` would print for a store with this content. */
function* exportOf(fixture: Fixture): Generator<object> {
  const { pets, busyAccounts, spentAccounts = SPENT_ACCOUNTS } = fixture;
  const accounts = busyAccounts + spentAccounts;
  const counts = {
    account: accounts,
    key: accounts,
    pet: pets,
    idempotencyKey: 0,
    auditEntry: 0,
    usagePeriod: 0,
    keyUse: 0,
  };
  const lastIds = { pet: pets, account: accounts, key: accounts, auditEntry: 0 };
  yield { format: 'animal-store', version: 1, lastIds, counts };
  for (let id = 1; id <= accounts; id++) {
    const limit = id <= busyAccounts ? UNLIMITED : 1;
    const limits = { perMinute: limit, perDay: limit };
    const account = { id, name: `account-${id}`, plan: 'enterprise', ...limits, createdAtMs: 0 };
    yield { account: { ...account, suspendedAtMs: null, suspensionReason: '' } };
  }
  for (let id = 1; id <= accounts; id++) {
    const hash = hashSecret(keyOf(id)).toHex();
    const lastFour = keyOf(id).slice(-4);
    const times = { createdAtMs: 0, expiresAtMs: null, revokedAtMs: null, unbannedAtMs: 0 };
    yield { key: { id, accountId: id, hash, lastFour, label: '', ...times, successorId: null } };
  }
  for (let id = 1; id <= pets; id++) yield { pet: { id, ...newPetOf(id) } };
}
