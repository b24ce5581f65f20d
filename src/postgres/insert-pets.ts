import type { SQL } from 'bun';
import type { NewPet } from '../domain/pet.ts';

/** Inserts pets in their order with one statement. Returns their ids in the same order. */
export async function insertPets(sql: SQL, pets: readonly NewPet[]): Promise<bigint[]> {
  const names = pets.map(({ name }) => name);
  const categoryIds = pets.map(({ categoryId }) => categoryId);
  const statuses = pets.map(({ status }) => status);
  const rows: { id: bigint }[] = await sql`INSERT INTO pets (name, category_id, status)
    SELECT name, category_id, status
    FROM unnest(${sql.array(names, 'TEXT')}::text[],
        ${sql.array(categoryIds, 'BIGINT')}::bigint[], ${sql.array(statuses, 'TEXT')}::text[])
      WITH ORDINALITY AS new (name, category_id, status, place)
    ORDER BY place
    RETURNING id`;
  return rows.map(({ id }) => id);
}
