import { expect, test } from 'bun:test';
import pino from 'pino';
import { StoreUnavailableError } from '#domain/error.ts';
import { FaultLog } from '#service/fault-log.ts';

interface Line {
  readonly msg: string;
  readonly repeats?: number;
  readonly fault?: string;
  readonly err?: { readonly stack: string };
}

function openLog() {
  const written: Line[] = [];
  const log = pino({ base: null }, { write: (line: string) => written.push(JSON.parse(line)) });
  /** Returns the lines that were written since the previous call. */
  const lines = () => written.splice(0);
  return { faults: new FaultLog(log), lines };
}

const full = () => new StoreUnavailableError(new Error('database or disk is full'));

test('a fault that lasts is logged once with its stack, and then summed up each minute', () => {
  const { faults, lines } = openLog();
  for (let minute = 0; minute < 2; minute++) {
    for (let each = 0; each < 600; each++) {
      faults.record(full(), 'fault', { requestId: `${each}` });
    }
    faults.logRepeats();
  }
  const [first, ...others] = lines();
  expect(first).toMatchObject({ msg: 'fault', requestId: '0' } as Partial<Line>);
  expect(first?.err?.stack).toContain('fault-log.test.ts');
  expect(others).toMatchObject([
    { msg: 'fault repeated', repeats: 599 },
    { msg: 'fault repeated', repeats: 600 },
  ]);
  expect(others[0]?.fault).toBe('fault: The store is unavailable: database or disk is full');
  expect(others[0]).not.toHaveProperty('err');
});

test('a fault that was absent for a minute is new when it returns', () => {
  const { faults, lines } = openLog();
  for (let each = 0; each < 1_000; each++) faults.record(full());
  faults.logRepeats();
  faults.logRepeats();
  expect(lines()).toMatchObject([{ msg: 'fault' }, { msg: 'fault repeated', repeats: 999 }]);
  faults.record(full());
  expect(lines()).toMatchObject([{ msg: 'fault' }]);
});

test('faults of different kinds are logged and counted separately', () => {
  const { faults, lines } = openLog();
  const hung = () => new StoreUnavailableError(new Error('the disk does not respond'));
  for (let each = 0; each < 3; each++) {
    faults.record(full());
    faults.record(hung());
    faults.record(full(), 'the counts could not be saved');
  }
  expect(lines()).toHaveLength(3);
  faults[Symbol.dispose]();
  expect(lines().map(({ repeats }) => repeats)).toEqual([2, 2, 2]);
});

test('errors whose text differs every time do not fill the log', () => {
  const { faults, lines } = openLog();
  for (let each = 0; each < 10_000; each++)
    faults.record(new Error(`row ${each} ${'x'.repeat(9)}`));
  expect(lines()).toHaveLength(101);
  faults.logRepeats();
  expect(lines().map(({ repeats }) => repeats)).toEqual([10_000 - 101]);
});
