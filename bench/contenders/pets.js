import { hash } from 'node:crypto';

/** The parts that the frameworks share: the data file, the statements and the rules. */

export const STATUSES = ['available', 'pending', 'sold'];
export const DAY_MS = 24 * 60 * 60 * 1000;
export const ERRORS = {
  invalidParameter: { code: 'invalid_parameter', message: 'Invalid parameter.', status: 400 },
  validationFailed: { code: 'validation_failed', message: 'Invalid pet.', status: 400 },
  invalidApiKey: { code: 'invalid_api_key', message: 'Invalid API key.', status: 401 },
  petNotFound: { code: 'pet_not_found', message: 'Pet not found.', status: 404 },
  rateLimitDay: { code: 'rate_limit_day', message: 'Daily limit exceeded.', status: 429 },
};

const COLUMNS = 'id, name, category_id AS categoryId, status';

export async function openStore() {
  const database = await openSqlite(process.env.DATABASE_FILE);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  const [byId, page, pageOfStatus, insert, keys] = [
    `SELECT ${COLUMNS} FROM pets WHERE id = ?`,
    `SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
    `SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
    `SELECT lower(hex(k.hash)) AS hash, a.id, a.per_day AS perDay
     FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`,
  ].map((text) => database.prepare(text));
  return {
    accountOf: accountLookup(keys.all()),
    find: (id) => byId.get(id) ?? undefined,
    list: ({ status, after, limit }) =>
      status === undefined ? page.all(after, limit) : pageOfStatus.all(status, after, limit),
    insert: ({ name, categoryId, status }) => insert.get(name, categoryId, status),
  };
}

async function openSqlite(path) {
  if (process.versions.bun !== undefined) {
    return new (await import('bun:sqlite')).Database(path, { strict: true });
  }
  return new (await import('node:sqlite')).DatabaseSync(path);
}

/** Holds all keys in a Map by their hash, which is faster than any query. */
export function accountLookup(rows) {
  const accounts = new Map(
    rows.map(({ hash, id, perDay }) => [hash, { id: String(id), perDay: Number(perDay) }]),
  );
  return (key) => accounts.get(hash('sha256', key, 'hex'));
}

export function keyFrom(authorization) {
  return /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** The three operations, for frameworks that do not validate. They return status, headers, body. */
export function operationsOf({ find, list, insert }) {
  return {
    listPets({ limit: limitText = '20', status, after: afterText = '0' }) {
      const [limit, after] = [Number(limitText), Number(afterText)];
      const isPage = Number.isInteger(limit) && limit >= 1 && limit <= 100;
      const isStatus = status === undefined || STATUSES.includes(status);
      if (!(isPage && isStatus && Number.isSafeInteger(after))) return fail('invalidParameter');
      const query = { limit, status, after };
      const { pets, headers } = toPage(query, list({ ...query, limit: limit + 1 }));
      return { status: 200, headers, body: pets };
    },
    getPet(id) {
      const pet = find(Number(id));
      return pet === undefined ? fail('petNotFound') : { status: 200, headers: {}, body: pet };
    },
    createPet({ name, categoryId, status = 'available' }) {
      const isName = typeof name === 'string' && name.trim() !== '' && name.length <= 255;
      const isValid = isName && Number.isSafeInteger(categoryId) && STATUSES.includes(status);
      if (!isValid) return fail('validationFailed');
      const pet = insert({ name, categoryId, status });
      return { status: 201, headers: { Location: `/v1/pets/${pet.id}` }, body: pet };
    },
  };
}

/** The store finds one pet more than the page holds, which tells if another page follows. */
export function toPage({ limit, status }, found) {
  if (found.length <= limit) return { pets: found, headers: {} };
  const pets = found.slice(0, limit);
  const filter = status === undefined ? '' : `status=${status}&`;
  const next = `/v1/pets?${filter}limit=${limit}&after=${pets.at(-1).id}`;
  return { pets, headers: { Link: `<${next}>; rel="next"` } };
}

function fail(name) {
  return { status: ERRORS[name].status, headers: {}, body: ERRORS[name] };
}
