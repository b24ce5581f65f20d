import Redis from 'ioredis';
import pg from 'pg';
import { startFastify } from './fastify-app.js';
import { accountLookup } from './pets.js';

const COLUMNS = 'id, name, category_id AS "categoryId", status';
const STATEMENTS = {
  keys: `SELECT encode(k.hash, 'hex') AS hash, a.id, a.per_day AS "perDay"
    FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`,
  byId: `SELECT ${COLUMNS} FROM pets WHERE id = $1`,
  page: `SELECT ${COLUMNS} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`,
  pageOfStatus: `SELECT ${COLUMNS} FROM pets WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`,
  insert: `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
};
const BIGINT = 20;

// Without this, int64 columns are strings.
pg.types.setTypeParser(BIGINT, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** Named statements are parsed and planned once for each connection. */
async function query(name, ...values) {
  return (await pool.query({ name, text: STATEMENTS[name], values })).rows;
}

await startFastify({
  accountOf: accountLookup(await query('keys')),
  find: async (id) => (await query('byId', id))[0],
  list: ({ status, after, limit }) =>
    status === undefined
      ? query('page', after, limit)
      : query('pageOfStatus', status, after, limit),
  insert: async ({ name, categoryId, status }) =>
    (await query('insert', name, categoryId, status))[0],
  // As the documentation of @fastify/rate-limit recommends.
  redis: new Redis(process.env.REDIS_URL, { connectTimeout: 500, maxRetriesPerRequest: 1 }),
});
