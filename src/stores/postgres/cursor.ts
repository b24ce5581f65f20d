import type { SQL } from 'bun';

const PAGE = 5_000;

/** Reads the rows of a query in bounded memory. Needs a transaction. */
export async function* readCursor<Row>(sql: SQL, query: string): AsyncGenerator<Row> {
  await sql.unsafe(`DECLARE records CURSOR FOR ${query}`);
  for (let count = PAGE; count === PAGE; ) {
    const page = await sql.unsafe<Row[]>(`FETCH ${PAGE} FROM records`);
    yield* page;
    count = page.length;
  }
  await sql`CLOSE records`;
}
