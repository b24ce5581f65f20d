import { expect, test } from 'bun:test';
import { cpuMicroseconds, peakMemoryMb } from '../../bench/measure/processes.ts';
import { eventually } from '../support/command.ts';
import { lacks } from '../support/programs.ts';

test.skipIf(lacks('setpriv'))(
  'CPU time and memory include every process that a process started',
  async () => {
    const busy = 'while (process.cpuUsage().user < 100_000); await Bun.sleep(30_000)';
    // The child ends with its parent, and the parent with this test, even if the test fails.
    const child = ['setpriv', '--pdeathsig', 'KILL', process.execPath, '-e', busy];
    const parent = `Bun.spawn(${JSON.stringify(child)}, { stdout: 'ignore' }); await Bun.sleep(30_000)`;
    await using started = Bun.spawn([process.execPath, '-e', parent], { stdout: 'ignore' });
    const alone = peakMemoryMb(started.pid);
    await eventually(() => cpuMicroseconds(started.pid) >= 100_000);
    expect(peakMemoryMb(started.pid)).toBeGreaterThan(alone);
  },
);
