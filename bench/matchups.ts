import type { Contender } from './contenders/contender.ts';
import {
  OURS,
  OURS_4000_ACCOUNTS,
  OURS_30000_ACCOUNTS,
  OURS_LARGE,
  OURS_PROGRAM,
  OURS_SHARED,
  RIVALS,
} from './contenders/contenders.ts';
import { LARGE_FLOOR, REFUSAL_FLOOR, SPEED_FLOORS } from './floors.ts';
import type { Matchup } from './measure/matchup.ts';

/**
 * First, Animal Store is compared with each rival, on the workloads of that rival. Then it is compared with itself, on
 * another workload, with more accounts or with a larger store.
 */
export const MATCHUPS: readonly Matchup[] = [
  ...RIVALS.map((other) => ({
    ours: oursAgainst(other),
    other,
    races: other.workloads.map((name) => ({
      ours: name,
      other: name,
      floor: SPEED_FLOORS[other.name]?.[name],
    })),
  })),
  {
    ours: OURS,
    other: OURS,
    races: [
      { ours: 'banned', other: 'getPet' },
      { ours: 'createPetOnce', other: 'createPet' },
    ],
  },
  {
    ours: OURS,
    other: OURS_30000_ACCOUNTS,
    races: [{ ours: 'unauthorized', other: 'getPet', floor: REFUSAL_FLOOR }],
  },
  {
    ours: OURS,
    other: OURS_4000_ACCOUNTS,
    races: [{ ours: 'overLimit', other: 'getPet', floor: REFUSAL_FLOOR }],
  },
  {
    ours: OURS_LARGE,
    other: OURS,
    races: [{ ours: 'getPet', other: 'getPet', floor: LARGE_FLOOR }],
  },
  {
    ours: OURS_LARGE,
    other: OURS_LARGE,
    races: [
      { ours: 'deepPage', other: 'firstPage' },
      { ours: 'deepSold', other: 'firstSold' },
    ],
  },
];

function oursAgainst({ isShared, program }: Contender): Contender {
  if (isShared) return OURS_SHARED;
  return program === undefined ? OURS : OURS_PROGRAM;
}
