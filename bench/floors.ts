import type { WorkloadName } from './measure/workloads.ts';

// A result below its floor is a regression. Floors are a little below what is usual, since results vary.

/** How many times as fast as a rival Animal Store is at least, by the name of the rival. */
export const SPEED_FLOORS: Readonly<Record<string, Partial<Record<WorkloadName, number>>>> = {
  'by-hand': { getPet: 0.75 },
  fastify: { createPet: 5 },
  'fastify-postgres': { getPet: 2.8 },
};

/** A refusal, compared with a getPet of as many accounts. */
export const REFUSAL_FLOOR = 0.95;
/**
 * A getPet of the large store, compared with one of the small. It waits for main memory, which a faster core
 * does not speed up: 1.0.0 had 0.52 with a getPet of 19 µs, and 0.45 with one of 11 µs.
 */
export const LARGE_FLOOR = 0.46;

/**
 * At most so much with 1,000,000 pets: the start of the executable, and the memory under load. Half of that
 * is garbage, and a faster core makes more of it between two collections: 1.0.0 had 165 MB with a getPet of
 * 19 µs, and 215 MB with one of 11 µs.
 */
export const LARGE_START_MS = 130;
export const LARGE_MEMORY_MB = 210;
