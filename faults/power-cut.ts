import { join } from 'node:path';
import { makeKey, serve } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { newFolder } from '../test/support/temporary-folder.ts';
import { atLeast, type Fault, none } from './fault.ts';
import { writeFolderAfterCut } from './power-cut-disk.ts';
import { pick } from './random.ts';
import { FILE, type Recording, record, type Scenario } from './recording.ts';
import { isIntactFile } from './service.ts';
import { findLosses } from './writers.ts';

/** Added to the time at which a call began, to cut the power during or after the call. */
const DURING = 0.25;
const AFTER = 0.75;
/** The disk stores only what is synced. */
const KEEP_NOTHING = () => 0;

const FIRST_START: Scenario = {
  prepare: () => ({ secret: undefined, pets: new Map() }),
  creations: 10,
};

const LOAD: Scenario = {
  /** Kills a service, so that the traced service starts with the write-ahead log that the killed one left behind. */
  async prepare(path) {
    const settings = { DATABASE_URL: `sqlite:${path}` };
    const { secret } = await makeKey(settings, 'writer');
    await using service = await serve(settings);
    const response = await apiCaller(service.started.api, secret).add('Rex');
    const { id, name } = (await response.json()) as { id: number; name: string };
    return { secret, pets: new Map([[id, name]]) };
  },
  /** In the full attack, this is enough for a checkpoint of SQLite while pets are created. */
  creations: 800,
};

class Damage {
  lostPets = 0;
  changedPets = 0;
  lostKeys = 0;
  failedStarts = 0;
  damagedFiles = 0;
}

/**
 * Simulates a power cut at a time in the trace, and starts the real service on the files that are left. Adds what the
 * service has lost to `damage`.
 */
async function cut(
  { petsBefore, before, changes, secret, keyShownAt, responses }: Recording,
  cutAt: number,
  random: () => number,
  damage: Damage,
): Promise<void> {
  const folder = newFolder();
  const path = join(folder, FILE);
  writeFolderAfterCut(folder, before, changes, cutAt, random);
  const confirmed = new Map(petsBefore);
  for (const { at, id, name } of responses) if (at < cutAt) confirmed.set(id, name);
  try {
    await using service = await serve({ DATABASE_URL: `sqlite:${path}` });
    const { api, demoKey } = service.started;
    if (demoKey !== undefined && keyShownAt < cutAt) damage.lostKeys++;
    const caller = apiCaller(api, demoKey ?? secret);
    const { lost, reused } = await findLosses(caller, confirmed);
    damage.lostPets += lost;
    damage.changedPets += reused;
    const { status } = await caller.add('after the cut');
    if (status !== 201) throw new Error(`A creation after the cut got ${status}`);
  } catch (error) {
    console.error(error);
    damage.failedStarts++;
    return;
  }
  for (const file of [path, `${path}-usage`]) if (!isIntactFile(file)) damage.damagedFiles++;
}

export const powerCut: Fault = {
  name: 'power-cut',
  title: 'Power cut on SQLite, simulated by replaying the system calls of a real service',
  unit: 'cuts',
  amounts: { full: 50, short: 2 },
  async run({ amount, random }) {
    const load = { ...LOAD, creations: Math.min(LOAD.creations, 20 * amount) };
    const recordings = [await record(load), await record(FIRST_START)];
    const damage = new Damage();
    for (let index = 0; index < amount; index++) {
      const recording = recordings[index % recordings.length] as Recording;
      const cutAt = pick(recording.cutTimes, random) + (random() < 0.5 ? DURING : AFTER);
      await cut(recording, cutAt, random, damage);
    }
    const [control] = recordings as [Recording];
    const unsynced = { ...control, changes: control.changes.filter((each) => !('synced' in each)) };
    const { at } = pick(control.responses, random);
    const damageOfControl = new Damage();
    await cut(unsynced, at + AFTER, KEEP_NOTHING, damageOfControl);
    return [
      none('confirmed pets lost', damage.lostPets),
      none('pets changed', damage.changedPets),
      none('keys lost after they were printed', damage.lostKeys),
      none('failed starts', damage.failedStarts),
      none('failed integrity checks', damage.damagedFiles),
      atLeast(1, 'confirmed pets lost in a control run without fsync', damageOfControl.lostPets),
      none('failed starts in the control run', damageOfControl.failedStarts),
    ];
  },
};
