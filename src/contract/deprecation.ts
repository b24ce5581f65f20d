import { DAY_SECONDS } from '../domain/durations.ts';
import { API_PREFIX } from './api.ts';

export type Deprecation = typeof GET_PET_DEPRECATION;

export const GET_PET_DEPRECATION = {
  deprecatedAt: new Date('2026-11-14T00:00:00Z'),
  removedAt: new Date('2030-12-05T00:00:00Z'),
  successor: 'listPets',
  /** The replacement, as complete sentences. */
  advice: `Use GET ${API_PREFIX}/pets with the status filter. To read one pet, use after={petId - 1}&limit=1 and compare the id.`,
} as const;

/** As 2030-12-05. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Whole days in UTC. 0 once the date has passed. */
export function daysUntil(date: Date, nowMs: number): number {
  return Math.max(0, Math.ceil((date.getTime() - nowMs) / (DAY_SECONDS * 1000)));
}

/** As 2030-12-05T00:00:00Z. */
export function secondOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
