import type { SQL } from 'bun';
import type { NewPet } from '../domain/pet.ts';

/** Pets as one array per column, for a statement that unnests them. */
export function petColumns(sql: SQL, pets: readonly NewPet[]) {
  const names = pets.map(({ name }) => name);
  const categoryIds = pets.map(({ categoryId }) => categoryId);
  const statuses = pets.map(({ status }) => status);
  return {
    names: sql.array(names, 'TEXT'),
    categoryIds: sql.array(categoryIds, 'BIGINT'),
    statuses: sql.array(statuses, 'TEXT'),
  };
}
