/** The content of a store before it is measured. It is the same in every run. */
export interface Fixture {
  readonly pets: number;
  /** Accounts that send requests and are never refused. */
  readonly busyAccounts: number;
  /** Accounts that may send one request a day. The second one gets a 429. */
  readonly spentAccounts: number;
}

// With 4,000 spent accounts, none is refused often enough to be banned during a run.
export const SMALL: Fixture = { pets: 1_000, busyAccounts: 1, spentAccounts: 4_000 };
export const LARGE: Fixture = { pets: 1_000_000, busyAccounts: 100_000, spentAccounts: 0 };

const NAMES = ['Rex', 'Tom', 'Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Ruby'];
const STATUSES = ['available', 'pending', 'sold'];
const CATEGORIES = 50;
const UNLIMITED = 1_000_000_000;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function newPetOf(id: number) {
  const name = `${NAMES[id % NAMES.length]} ${id}`;
  return { name, categoryId: (id % CATEGORIES) + 1, status: STATUSES[id % STATUSES.length] };
}

/** The key of an account. It derives from the id, so no run has to store it. */
export function keyOf(accountId: number): string {
  const random = toBase62(accountId, 32);
  return `ask_${random}${toBase62(Bun.hash.crc32(random), 6)}`;
}

/** A well-formed key that belongs to no account. */
export const UNKNOWN_KEY = keyOf(2 ** 31);

export function spentAccountIds({ busyAccounts, spentAccounts }: Fixture): number[] {
  return Array.from({ length: spentAccounts }, (_, index) => busyAccounts + index + 1);
}

/** Imports a fixture with the real command of the checkout that holds `main`. */
export async function importFixture(
  main: string,
  databaseUrl: string,
  fixture: Fixture,
): Promise<void> {
  const child = Bun.spawn([process.execPath, main, 'store', 'import'], {
    env: { PATH: Bun.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdin: new Blob([...exportOf(fixture)]),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`store import failed: ${stderr}`);
}

/** The lines that `store export` would print for a store with this content. */
function* exportOf({ pets, busyAccounts, spentAccounts }: Fixture): Generator<string> {
  const accounts = busyAccounts + spentAccounts;
  const counts = { account: accounts, key: accounts, pet: pets, idempotencyKey: 0 };
  yield toLine({ format: 'animal-store', version: 1, counts });
  for (let id = 1; id <= accounts; id++) {
    const limit = id <= busyAccounts ? UNLIMITED : 1;
    const limits = { perMinute: limit, perDay: limit };
    const account = { id, name: `account-${id}`, plan: 'enterprise', ...limits, createdAtMs: 0 };
    yield toLine({ account });
  }
  for (let id = 1; id <= accounts; id++) {
    const hash = Bun.SHA256.hash(keyOf(id), 'hex');
    const times = { createdAtMs: 0, expiresAtMs: null, revokedAtMs: null, unbannedAtMs: 0 };
    yield toLine({ key: { id, accountId: id, hash, label: '', ...times, successorId: null } });
  }
  for (let id = 1; id <= pets; id++) yield toLine({ pet: { id, ...newPetOf(id) } });
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function toBase62(number: number, digits: number): string {
  let text = '';
  for (let rest = number; text.length < digits; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text;
  }
  return text;
}
