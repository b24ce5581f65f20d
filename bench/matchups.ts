import type { Contender } from './contenders/contender.ts';
import {
  OURS,
  OURS_4000,
  OURS_30000,
  OURS_LARGE,
  OURS_PROGRAM,
  OURS_SHARED,
  RIVALS,
} from './contenders/contenders.ts';
import { LARGE_GET_PET, OVER_LIMIT, SPEED_GOALS, UNAUTHORIZED } from './goals.ts';
import type { Matchup } from './measure/matchup.ts';

/** Every rival on its workloads, and Animal Store against itself where two workloads compare. */
export const MATCHUPS: readonly Matchup[] = [
  ...RIVALS.map((other) => ({
    ours: oursAgainst(other),
    other,
    races: other.workloads.map((name) => ({
      ours: name,
      other: name,
      goal: SPEED_GOALS[other.name]?.[name],
    })),
  })),
  {
    ours: OURS,
    other: OURS,
    races: [
      { ours: 'unauthorized', other: 'getPet', goal: UNAUTHORIZED },
      { ours: 'overLimit', other: 'getPet', goal: OVER_LIMIT },
      { ours: 'banned', other: 'getPet' },
      { ours: 'createPetOnce', other: 'createPet' },
    ],
  },
  {
    ours: OURS,
    other: OURS_30000,
    races: [{ ours: 'unauthorized', other: 'getPet', goal: UNAUTHORIZED }],
  },
  {
    ours: OURS,
    other: OURS_4000,
    races: [{ ours: 'overLimit', other: 'getPet', goal: OVER_LIMIT }],
  },
  {
    ours: OURS_LARGE,
    other: OURS,
    races: [{ ours: 'getPet', other: 'getPet', goal: LARGE_GET_PET }],
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
