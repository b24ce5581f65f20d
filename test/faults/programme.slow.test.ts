import { expect, test } from 'bun:test';
import { FAULTS, tryFault } from '../../faults/programme.ts';

/** A fixed seed, so that a failure can be repeated. `npm run faults` uses another each time. */
const SEED = 1;

/** How long something takes depends on how busy the machine is. `npm run faults` measures it. */
const OF_TIME = /^(seconds|ms|times as slow)/;

/** Litestream has no package in Debian, so the tests attack it only where it is installed. */
const isMissing = (name: string) => name === 'litestream' && Bun.which(name) === null;
const SHORT = FAULTS.filter(({ name, amounts }) => amounts.short > 0 && !isMissing(name));

test.each(SHORT.map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
  const findings = await tryFault(fault, fault.amounts.short, SEED);
  const ofPromises = findings.filter(({ promise }) => !OF_TIME.test(promise));
  expect(ofPromises.filter(({ holds }) => !holds)).toEqual([]);
});
