import { API_PREFIX } from './api.ts';

export interface Deprecation {
  readonly deprecatedAt: Date;
  readonly removedAt: Date;
  readonly successor: 'listPets';
  /** The replacement, as a complete sentence. */
  readonly advice: string;
}

export const GET_PET_DEPRECATION: Deprecation = {
  deprecatedAt: new Date('2026-11-14T00:00:00Z'),
  removedAt: new Date('2030-12-05T00:00:00Z'),
  successor: 'listPets',
  advice: `Use GET ${API_PREFIX}/pets with the status filter. To read one pet, use after={petId - 1}&limit=1 and compare the id.`,
};

/** As 2030-12-05. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
