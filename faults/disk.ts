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
  /** True if only a restart ends the fault, and the newest pets may be lost. */
  readonly isLasting?: true;
}

const FAULTS: readonly DiskFault[] = [
  // Only writes fail here. SQLite takes a failed read for damage, which only a restart ends; a test covers that case.
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
  truncated(() => 0),
  truncated((bytes, random) => Math.floor(bytes * random())),
];

/** Another program truncates the write-ahead log. `rest` says how many of its bytes are left. */
function truncated(rest: (bytes: number, random: Random) => number): DiskFault {
  return {
    isLasting: true,
    async cause({ service, load, random, untilRefused }) {
      // The checkpoint copies all commits so far, such as the key of the load, into the data file. They are not lost.
      {
        using other = new Database(service.file);
        other.run('PRAGMA busy_timeout = 10000; PRAGMA wal_checkpoint(TRUNCATE)');
      }
      await load.served();
      const log = `${service.file}-wal`;
      truncateSync(log, rest(Bun.file(log).size, random));
      const truncatedAtMs = performance.now();
      await untilRefused(() => load.confirmedSince(truncatedAtMs) > 0);
      const backup = await runProcess(
        service.settings,
        'store',
        'backup',
        `${service.file}.backup`,
      );
      return load.confirmedSince(truncatedAtMs) + Number(backup.exitCode === 0);
    },
  };
}

/** One of the files of the store is deleted, and later put back. */
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
  title:
    'A disk that is full or read-only, or has I/O errors, and files that are locked, deleted or truncated, on SQLite',
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
      none('times that the service exited', totals.exits),
    ];
  },
};
