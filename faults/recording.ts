import { join } from 'node:path';
import type { Serving } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { newFolder } from '../test/support/temporary-folder.ts';
import { changesOf, type DiskFolder, readFolder, type TimedChange } from './disk-changes.ts';
import { bytesOf, confirmedBy, traceService } from './system-calls.ts';

/** The data file, in a folder that the first start creates. */
export const FILE = 'data/store.db';
const WRITERS = 2;

/** What a traced service does from its start to its end: the files that it begins with, and how many pets it creates. */
export interface Scenario {
  /** Writes the files that the service starts with. */
  prepare(path: string): Promise<Prepared> | Prepared;
  readonly creations: number;
}

interface Prepared {
  /** The key to use. It is undefined if the service creates and prints one. */
  readonly secret: string | undefined;
  readonly pets: ReadonlyMap<number, string>;
}

/** The changes that a service made to its files, and the pets that it confirmed meanwhile. */
export interface Recording {
  readonly petsBefore: ReadonlyMap<number, string>;
  readonly before: DiskFolder;
  readonly changes: readonly TimedChange[];
  readonly secret: string;
  /** The time at which the key was printed, or 0 if the key existed before. */
  readonly keyShownAt: number;
  readonly responses: readonly {
    readonly at: number;
    readonly id: number;
    readonly name: string;
  }[];
  /** The start times of all system calls that change a file or send a response. The power can be cut at each of them. */
  readonly cutTimes: readonly number[];
}

/** Traces the scenario on a real service. */
export async function record(scenario: Scenario): Promise<Recording> {
  const folder = newFolder();
  const path = join(folder, FILE);
  const { secret: known, pets: petsBefore } = await scenario.prepare(path);
  const before = readFolder(folder);
  let secret = known ?? '';
  const work = async ({ started }: Serving) => {
    secret = known ?? started.demoKey ?? '';
    const { add } = apiCaller(started.api, secret);
    const names = Array.from({ length: scenario.creations }, (_, index) => `pet ${index}`).values();
    const write = async () => {
      for (const name of names) {
        const { status } = await add(name);
        if (status !== 201) throw new Error(`A creation got ${status}`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
  };
  const calls = await traceService({ DATABASE_URL: `sqlite:${path}` }, work);
  const changes = changesOf(calls, folder, before);
  const responses = calls.flatMap((call) =>
    confirmedBy(call).map(([id, name]) => ({ at: call.began, id, name })),
  );
  if (responses.length !== scenario.creations) throw new Error('The trace lacks responses');
  const printed = calls.find(
    ({ name, args }) => name === 'write' && bytesOf(args[1]).includes(secret),
  );
  return {
    petsBefore,
    before,
    changes,
    secret,
    keyShownAt: known === undefined ? (printed?.began ?? 0) : 0,
    responses,
    cutTimes: [...changes.map(({ began }) => began), ...responses.map(({ at }) => at)],
  };
}
