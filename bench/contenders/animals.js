import { hash } from 'node:crypto';

/** What the frameworks share: the data file, the statements and the rules. All else is their own. */

export const STATUSES = ['available', 'pending', 'sold'];
export const DAY_MS = 24 * 60 * 60 * 1000;

const COLUMNS = 'id, name, category_id AS categoryId, status';

export async function openAnimals(path) {
  const database = await openSqlite(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  const byId = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id = ?`);
  const page = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`);
  const pageOfStatus = database.prepare(
    `SELECT ${COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const insert = database.prepare(
    `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const keys = database.prepare(
    `SELECT lower(hex(k.hash)) AS hash, a.id, a.per_day AS perDay
     FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`,
  );
  return {
    accountOf: accountLookup(keys.all()),
    getPet: (id) => byId.get(id) ?? undefined,
    listPets: ({ status, after, limit }) =>
      status === undefined ? page.all(after, limit) : pageOfStatus.all(status, after, limit),
    createPet: ({ name, categoryId, status }) => insert.get(name, categoryId, status),
  };
}

async function openSqlite(path) {
  if (process.versions.bun !== undefined) {
    const { Database } = await import('bun:sqlite');
    return new Database(path, { strict: true });
  }
  const { DatabaseSync } = await import('node:sqlite');
  return new DatabaseSync(path);
}

/** All keys are held in memory by their hash, which is faster than any look-up in a database. */
export function accountLookup(rows) {
  const accounts = new Map(
    rows.map(({ hash, id, perDay }) => [hash, { id: String(id), perDay: Number(perDay) }]),
  );
  return (secret) => accounts.get(hash('sha256', secret, 'hex'));
}

export function secretOf(authorization) {
  return /^Bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

/** Undefined when the query breaks a rule of the interface. */
export function readListQuery({ limit = '20', status, after = '0' }) {
  const query = { limit: Number(limit), status, after: Number(after) };
  const isValid =
    Number.isInteger(query.limit) &&
    query.limit >= 1 &&
    query.limit <= 100 &&
    Number.isSafeInteger(query.after) &&
    (status === undefined || STATUSES.includes(status));
  return isValid ? query : undefined;
}

/** Reads one animal more than was asked for, to know whether a page follows. */
export function pageOf(query, listPets) {
  const found = listPets({ ...query, limit: query.limit + 1 });
  return toPage(query, found);
}

export function toPage({ limit, status }, found) {
  if (found.length <= limit) return { pets: found };
  const pets = found.slice(0, limit);
  const filter = status === undefined ? '' : `status=${status}&`;
  const next = `/v1/pets?${filter}limit=${limit}&after=${pets.at(-1).id}`;
  return { pets, link: `<${next}>; rel="next"` };
}

/** Undefined when the body breaks a rule of the interface. */
export function readNewPet(body) {
  const { name, categoryId, status = 'available' } = body ?? {};
  const isValid =
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= 255 &&
    Number.isSafeInteger(categoryId) &&
    STATUSES.includes(status);
  return isValid ? { name, categoryId, status } : undefined;
}

export const ERRORS = {
  invalidParameter: error(400, 'invalid_parameter', 'A parameter of the query is not valid.'),
  validationFailed: error(400, 'validation_failed', 'The body is not a valid animal.'),
  invalidApiKey: error(401, 'invalid_api_key', 'The API key is missing or not valid.'),
  petNotFound: error(404, 'pet_not_found', 'No animal has this identifier.'),
  rateLimitDay: error(429, 'rate_limit_day', 'All requests of this day are used up.'),
};

function error(status, code, message) {
  return { code, message, status };
}
