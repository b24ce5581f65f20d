import { DAY_MS } from '../domain/durations.ts';
import { API_PREFIX } from './api.ts';

export type Deprecation = typeof GET_PET_DEPRECATION;

export const GET_PET_DEPRECATION = {
  deprecatedAt: new Date('2026-11-14T00:00:00Z'),
  removedAt: new Date('2030-12-05T00:00:00Z'),
  successor: 'listPets',
  /** The replacement, as complete sentences with `code`. */
  advice:
    `Use \`GET ${API_PREFIX}/pets\` with the \`status\` filter. To read one pet, use ` +
    '`after={petId - 1}&limit=1` and compare the id: if no pet has this id, the response has the next pet.',
} as const;

/** The days left, rounded up. 0 once the time has passed. */
export function daysUntil(atMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((atMs - nowMs) / DAY_MS));
}
