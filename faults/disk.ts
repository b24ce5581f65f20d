import { Database } from 'bun:sqlite';
import { linkSync, renameSync, rmSync, truncateSync } from 'node:fs';
import {
  run,
  runProcess,
  type ServedWithKey,
  serve,
  serveWithKey,
} from '../test/support/command.ts';
import { requireProgram } from '../test/support/programs.ts';
import { type Fault, none } from './fault.ts';
import { MixedLoad } from './mixed-load.ts';
import type { Random } from './random.ts';
import { isIntactFile } from './service.ts';

const LONGEST_FAULT_MS = 500;

interface Scene {
  readonly service: ServedWithKey;
  readonly load: MixedLoad;
  readonly random: Random;
  /** Waits until requests are refused. */
  readonly untilRefused: MixedLoad['refused'];
}

interface DiskFault {
  /** Returns how many pets were confirmed although they could not be stored. */
  cause(scene: Scene): Promise<number>;
  /** Whether only a restart ends the fault, and the newest pets are lost. */
  readonly isLasting?: true;
}

const FAULTS: readonly DiskFault[] = [
  // Reads do not fail here. SQLite would take them for damage, which only a restart ends; a test covers that case.
  failing('pwrite64:error=EIO'),
  failing('pwrite64,ftruncate,fallocate:error=ENOSPC'),
  failing('pwrite64,ftruncate,fallocate:error=EROFS'),
  failing('fdatasync,fsync:error=EIO'),
  {
    async cause({ service, untilRefused }) {
      using other = new Database(service.file);
      other.run('PRAGMA busy_timeout = 10000');
      other.run('BEGIN EXCLUSIVE');
      await untilRefused();
      other.run('ROLLBACK');
      return 0;
    },
  },
  ...['', '-wal', '-shm'].map(deleted),
  cut(() => 0),
  cut((bytes, random) => Math.floor(bytes * random())),
];

/** Another program cuts the log. */
function cut(rest: (bytes: number, random: Random) => number): DiskFault {
  return {
    isLasting: true,
    async cause({ service, load, random, untilRefused }) {
      // What a checkpoint has moved to the data file is not lost, such as the key of the load.
      {
        using other = new Database(service.file);
        other.run('PRAGMA busy_timeout = 10000; PRAGMA wal_checkpoint(TRUNCATE)');
      }
      await load.served();
      const log = `${service.file}-wal`;
      truncateSync(log, rest(Bun.file(log).size, random));
      const cutAtMs = performance.now();
      await untilRefused(() => load.confirmedSince(cutAtMs) > 0);
      const backup = await runProcess(
        service.settings,
        'store',
        'backup',
        `${service.file}.backup`,
      );
      return load.confirmedSince(cutAtMs) + Number(backup.exitCode === 0);
    },
  };
}

/** One of the files of the store is deleted, and comes back. */
function deleted(suffix: string): DiskFault {
  return {
    async cause({ service, load, untilRefused }) {
      const file = `${service.file}${suffix}`;
      linkSync(file, `${file}.kept`);
      rmSync(file);
      const deletedAtMs = performance.now();
      await untilRefused(() => load.confirmedSince(deletedAtMs) > 0);
      const command = await run(service.settings, 'pets', 'seed', '--count', '1');
      const confirmed = load.confirmedSince(deletedAtMs) + Number(command.exitCode === 0);
      renameSync(`${file}.kept`, file);
      return confirmed;
    },
  };
}

/** System calls on the files of the store fail. */
function failing(calls: string): DiskFault {
  return {
    async cause({ service, load, untilRefused }) {
      const files = ['', '-wal', '-shm'].flatMap((suffix) => ['-P', `${service.file}${suffix}`]);
      const target = ['-f', '-p', String(service.pid), '-o', '/dev/null', ...files];
      const words = [requireProgram('strace'), ...target, '-e', `inject=${calls}`];
      const strace = Bun.spawn(words, { stderr: 'pipe' });
      try {
        await strace.stderr.getReader().read();
        // A thread is traced only some milliseconds after strace says so.
        await untilRefused();
        const tracedAtMs = performance.now();
        await untilRefused(() => load.confirmedSince(tracedAtMs) > 0);
        return load.confirmedSince(tracedAtMs);
      } finally {
        strace.kill('SIGKILL');
        await strace.exited;
      }
    },
  };
}

export const diskFaults: Fault = {
  name: 'disk',
  title: 'Disk full, with I/O errors or read-only, and the files locked, deleted or cut, on SQLite',
  unit: 'faults',
  amounts: { full: 150, short: FAULTS.length },
  async run({ amount, random }) {
    const totals = {
      unexpected: 0,
      falselyConfirmed: 0,
      lost: 0,
      doubled: 0,
      damaged: 0,
      exits: 0,
    };
    for (let count = 0; count < amount; count++) {
      await using service = await serveWithKey({ STORE_TIMEOUT_SECONDS: '1' });
      await using load = new MixedLoad([service], service.secret, random);
      await load.served();
      const untilRefused = async (isInVain?: () => boolean) => {
        await load.refused(isInVain);
        await Bun.sleep(random() * LONGEST_FAULT_MS);
      };
      const fault = FAULTS[count % FAULTS.length] as DiskFault;
      totals.falselyConfirmed += await fault.cause({ service, load, random, untilRefused });
      if (!fault.isLasting) await load.served();
      await load.stop();
      if (service.exitCode() !== null) totals.exits++;
      service.kill(fault.isLasting && random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
      await service.exited;
      if (!isIntactFile(service.file)) totals.damaged++;
      await using restarted = await serve(service.settings);
      const { lost, doubled } = await load.compare(restarted);
      totals.unexpected += load.unexpected.length;
      for (const each of load.unexpected.slice(0, 3)) console.error(count % FAULTS.length, each);
      if (!fault.isLasting) totals.lost += lost;
      totals.doubled += doubled;
    }
    return [
      none('responses other than 2xx and 503 with Retry-After', totals.unexpected),
      none('pets confirmed although they could not be stored', totals.falselyConfirmed),
      none('confirmed pets lost', totals.lost),
      none('pets added twice', totals.doubled),
      none('failed integrity checks', totals.damaged),
      none('exits', totals.exits),
    ];
  },
};
