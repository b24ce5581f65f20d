import type { WorkloadName } from './measure/workloads.ts';

// A result below its floor is a regression. Floors are a little below the usual results, because results vary.

/**
 * For each rival, the least factor by which Animal Store must be faster. Against the server by hand, the factor depends
 * on the processor: commits that take the same CPU time had 0.71 to 0.74 on one machine, and 0.75 to 0.77 on another.
 */
export const SPEED_FLOORS: Readonly<Record<string, Partial<Record<WorkloadName, number>>>> = {
  'by-hand': { getPet: 0.7 },
  fastify: { createPet: 5 },
  'fastify-postgres': { getPet: 2.8 },
};

/** The speed of a refusal, compared with a getPet by as many accounts. */
export const REFUSAL_FLOOR = 0.95;
/**
 * The speed of a getPet on the large store, compared with a getPet on the small store. On the large store, a getPet
 * waits for main memory, which a faster core does not speed up. Version 1.0.0 had 0.52 on a machine where a getPet
 * took 19 µs, and 0.45 where it took 11 µs.
 */
export const LARGE_FLOOR = 0.46;

/**
 * Upper limits for the large store, compared with the small store in the same run: the start of the executable, and its
 * memory under load. About half of that memory is garbage.
 */
export const LARGE_START = 1.3;
export const LARGE_MEMORY = 6;
