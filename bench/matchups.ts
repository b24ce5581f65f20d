import type { Contender } from './contenders/contender.ts';
import { OURS, OURS_LARGE, OURS_PROGRAM, OURS_SHARED, RIVALS } from './contenders/contenders.ts';
import type { Matchup } from './measure/matchup.ts';

/** Every rival on its workloads, and Animal Store against itself where two workloads compare. */
export const MATCHUPS: readonly Matchup[] = [
  ...RIVALS.map((other) => ({
    ours: oursAgainst(other),
    other,
    races: other.workloads.map((name) => ({ ours: name, other: name, goal: other.goals?.[name] })),
  })),
  {
    ours: OURS,
    other: OURS,
    races: [
      { ours: 'unauthorized', other: 'getPet', goal: 1 },
      { ours: 'overLimit', other: 'getPet', goal: 1 },
      { ours: 'banned', other: 'getPet' },
      { ours: 'createPetOnce', other: 'createPet' },
    ],
  },
  { ours: OURS_LARGE, other: OURS, races: [{ ours: 'getPet', other: 'getPet', goal: 0.95 }] },
  {
    ours: OURS_LARGE,
    other: OURS_LARGE,
    races: [
      { ours: 'deepPage', other: 'firstPage', goal: 0.91 },
      { ours: 'deepSold', other: 'firstSold', goal: 0.91 },
    ],
  },
];

function oursAgainst({ isShared, program }: Contender): Contender {
  if (isShared) return OURS_SHARED;
  return program === undefined ? OURS : OURS_PROGRAM;
}
