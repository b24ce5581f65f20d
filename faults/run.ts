import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { FAULTS, tryFault } from './programme.ts';
import { withRow } from './reliability-table.ts';

/** Attacks real services on this machine, and checks that they keep their promises. */

const PAGE = 'docs/reliability.md';
const LARGEST_SEED = 2 ** 31;

const { values, positionals } = readArguments();

// Otherwise a signal would leave servers, folders and mounted disks behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

if (values.list) {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  for (const { name, title, amounts, unit } of FAULTS) {
    console.log(`${name.padEnd(width)}  ${title} (${amounts.full.toLocaleString('en')} ${unit})`);
  }
} else {
  process.exitCode = (await attack()) ? 0 : 1;
}

/** Returns true if every promise holds. */
async function attack(): Promise<boolean> {
  const chosen = chooseFaults();
  const seed = Number(values.seed ?? Math.floor(Math.random() * LARGEST_SEED));
  if (!Number.isInteger(seed)) fail('--seed must be a whole number.');
  console.log(`Seed ${seed}`);
  const broken: string[] = [];
  for (const fault of chosen) {
    const amount = values.short ? fault.amounts.short : fault.amounts.full;
    if (amount === 0) continue;
    console.log(`\n${fault.title}: ${amount.toLocaleString('en')} ${fault.unit}`);
    const findings = await tryFault(fault, amount, seed);
    for (const { promise, outcome, holds } of findings) {
      console.log(`${holds ? '  ok    ' : '  BROKEN'}  ${promise}: ${outcome}`);
    }
    const holds = findings.every((finding) => finding.holds);
    if (!holds) broken.push(fault.name);
    if (values['write-docs'] && !values.short && holds) {
      writeFileSync(PAGE, withRow(readFileSync(PAGE, 'utf8'), fault, findings));
    }
  }
  if (broken.length === 0) return true;
  console.log(
    `\nRepeat the same attacks: npm run faults -- ${broken.join(' ')} --seed ${seed}${values.short ? ' --short' : ''}`,
  );
  return false;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        seed: { type: 'string' },
        short: { type: 'boolean', default: false },
        'write-docs': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function chooseFaults(): readonly Fault[] {
  const known = FAULTS.map(({ name }) => name);
  for (const name of positionals) {
    if (!known.includes(name)) fail(`Unknown fault "${name}". Choose from: ${known.join(', ')}.`);
  }
  return positionals.length === 0
    ? FAULTS
    : FAULTS.filter(({ name }) => positionals.includes(name));
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
