import { hash } from 'node:crypto';

/** The statements that all frameworks run on the tables of Animal Store. */
const COLUMNS = 'id, name, category_id AS "categoryId", status';
export const STATEMENTS = {
  keys: `SELECT k.hash, a.id, a.per_day AS "perDay"
    FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`,
  byId: `SELECT ${COLUMNS} FROM pets WHERE id = $1`,
  page: `SELECT ${COLUMNS} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`,
  pageOfStatus: `SELECT ${COLUMNS} FROM pets WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`,
  insert: `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
};

export async function openStore() {
  const database = await openSqlite(process.env.DATABASE_FILE);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  const prepare = (name) => database.prepare(STATEMENTS[name].replaceAll(/\$\d/g, '?'));
  const names = ['byId', 'page', 'pageOfStatus', 'insert', 'keys'];
  const [byId, page, pageOfStatus, insert, keys] = names.map(prepare);
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

/** Keeps all keys in a Map by their hash, because a Map is faster than any query. */
export function accountLookup(rows) {
  const accounts = new Map();
  for (const { hash: bytes, id, perDay } of rows) {
    const account = { id: String(id), perDay: Number(perDay), used: 0, resetAtMs: 0 };
    accounts.set(Buffer.from(bytes).toString('hex'), account);
  }
  return (key) => accounts.get(hash('sha256', key, 'hex'));
}
