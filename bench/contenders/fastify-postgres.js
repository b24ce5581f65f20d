import Redis from 'ioredis';
import pg from 'pg';
import { accountLookup, toPage } from './animals.js';
import { startFastify } from './fastify-app.js';

const COLUMNS = 'id, name, category_id AS "categoryId", status';
const BIGINT = 20;

// Otherwise int64 columns would come as strings.
pg.types.setTypeParser(BIGINT, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** Named, so that the server parses and plans each statement once for a connection. */
async function rowsOf(name, text, values = []) {
  const { rows } = await pool.query({ name, text, values });
  return rows;
}

const keys = await rowsOf(
  'keys',
  `SELECT encode(k.hash, 'hex') AS hash, a.id, a.per_day AS "perDay"
   FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`,
);

await startFastify({
  accountOf: accountLookup(keys),
  async getPet(id) {
    const [pet] = await rowsOf('by_id', `SELECT ${COLUMNS} FROM pets WHERE id = $1`, [id]);
    return pet;
  },
  async listPage(query) {
    const { status, after, limit } = query;
    const found =
      status === undefined
        ? await rowsOf('page', `SELECT ${COLUMNS} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`, [
            after,
            limit + 1,
          ])
        : await rowsOf(
            'page_of_status',
            `SELECT ${COLUMNS} FROM pets WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3`,
            [status, after, limit + 1],
          );
    return toPage(query, found);
  },
  async createPet({ name, categoryId, status }) {
    const [pet] = await rowsOf(
      'insert',
      `INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
      [name, categoryId, status],
    );
    return pet;
  },
  // As the documentation of @fastify/rate-limit advises.
  redis: new Redis(process.env.REDIS_URL, { connectTimeout: 500, maxRetriesPerRequest: 1 }),
});
