import { expect, test } from 'bun:test';
import { FAULTS, tryFault } from '../../faults/programme.ts';

/** A fixed seed, so that a failure can be repeated. `npm run faults` uses another each time. */
const SEED = 1;

/** How long something takes depends on how busy the machine is. `npm run faults` measures it. */
const OF_TIME = /^(seconds|ms|times as slow)/;

const SHORT = FAULTS.filter(({ amounts }) => amounts.short > 0);

test.each(SHORT.map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
  const findings = await tryFault(fault, fault.amounts.short, SEED);
  const ofPromises = findings.filter(({ promise }) => !OF_TIME.test(promise));
  expect(ofPromises.filter(({ holds }) => !holds)).toEqual([]);
});
