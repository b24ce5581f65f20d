import { expect, test } from 'bun:test';
import { FAULTS, tryFault } from '../../faults/programme.ts';

/** A fixed seed, so that a failure can be repeated. `npm run faults` uses another each time. */
const SEED = 1;

test.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', async (_name, fault) => {
  const findings = await tryFault(fault, { seed: SEED, amount: fault.amounts.short, step() {} });
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
});
