import type { WorkloadName } from './measure/workloads.ts';

/** A value that Animal Store should reach. */
export interface Goal {
  readonly value: number;
  /** Printed where the goal is not met. */
  readonly whyNot: string;
}

type SpeedGoals = Readonly<Partial<Record<WorkloadName, Goal>>>;

const SAME_KERNEL = 'same kernel time';

/** How many times as fast as a rival Animal Store should be, by the name of the rival. */
export const SPEED_GOALS: Readonly<Record<string, SpeedGoals>> = {
  ceiling: {
    getPet: { value: 0.6, whyNot: 'key, limits, pet and headers take the rest' },
  },
  'by-hand': {
    getPet: {
      value: 0.88,
      whyNot: 'it hashes no key, checks no Host, counts one window and keeps no history',
    },
  },
  fastify: {
    getPet: { value: 3, whyNot: SAME_KERNEL },
    listPets20: { value: 4, whyNot: SAME_KERNEL },
    listPets100: { value: 7, whyNot: SAME_KERNEL },
    createPet: {
      value: 8,
      whyNot: 'each creation is still read, checked and handed to the writer',
    },
  },
  express: {
    getPet: { value: 5, whyNot: SAME_KERNEL },
    listPets20: { value: 5, whyNot: SAME_KERNEL },
    listPets100: { value: 5, whyNot: SAME_KERNEL },
  },
  'fastify-postgres': {
    getPet: { value: 3, whyNot: 'same time for sockets' },
  },
};

/** A refusal must not cost more than a getPet. */
export const UNAUTHORIZED: Goal = {
  value: 1,
  whyNot: 'it has 30,000 addresses, and this getPet one account',
};
export const OVER_LIMIT: Goal = {
  value: 1,
  whyNot: 'it has 4,000 accounts, and this getPet one',
};
export const LARGE_GET_PET: Goal = {
  value: 0.6,
  whyNot: 'pets are read from the file, and counts of 100,000 accounts are saved',
};

/** At most so much, with 1,000,000 pets. */
export const LARGE_START_MS: Goal = {
  value: 120,
  whyNot: 'the runtime starts two threads first',
};
export const LARGE_SOURCE_START_MS: Goal = {
  ...LARGE_START_MS,
  whyNot: 'the runtime compiles the source',
};
export const LARGE_MEMORY_MB: Goal = {
  value: 150,
  whyNot: 'keys and counts of 100,000 accounts stay in memory, and garbage is collected late',
};
