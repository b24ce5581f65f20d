import Redis from 'ioredis';
import pg from 'pg';
import { startFastify } from './fastify-app.js';
import { accountLookup, STATEMENTS } from './store.js';

const BIGINT = 20;

// Without this parser, the driver returns int64 columns as strings.
pg.types.setTypeParser(BIGINT, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** PostgreSQL parses and plans a named statement only once for each connection. */
async function query(name, ...values) {
  return (await pool.query({ name, text: STATEMENTS[name], values })).rows;
}

/** No workload reads a list from PostgreSQL. */
const store = {
  accountOf: accountLookup(await query('keys')),
  find: async (id) => (await query('byId', id))[0],
  insert: async (pet) => (await query('insert', pet.name, pet.categoryId, pet.status))[0],
};
// The documentation of @fastify/rate-limit recommends these settings.
const options = { connectTimeout: 500, maxRetriesPerRequest: 1 };
await startFastify(store, new Redis(process.env.REDIS_URL, options));
