import type { ApiCaller } from '../test/support/api-caller.ts';

const WRITERS = 16;

/** Pets that the service has confirmed: their names by id. */
export type Confirmed = Map<number, string>;

/** Creates pets until the service is gone, and records each that is confirmed. */
export async function writeUntilGone(
  { add }: ApiCaller,
  prefix: string,
  confirmed: Confirmed,
): Promise<void> {
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const name = `${prefix} ${writer} ${count}`;
      const response = await add(name);
      if (response.status !== 201) throw new Error(`A creation got ${response.status}`);
      const { id } = (await response.json()) as { id: number };
      confirmed.set(id, name);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  await Promise.allSettled(writers);
}

export interface Losses {
  readonly lost: number;
  /** Ids that were given to two pets. */
  readonly reused: number;
}

/** Compares the pets after an id with the confirmed ones. */
export async function findLosses(
  caller: ApiCaller,
  confirmed: Confirmed,
  after = 0,
): Promise<Losses & { lastId: number }> {
  const stored = new Map<number, string>();
  let lastId = after;
  for await (const { id, name } of caller.petsAfter(after)) {
    stored.set(id, name);
    lastId = id;
  }
  const checked = [...confirmed].filter(([id]) => id > after);
  const lost = checked.filter(([id]) => !stored.has(id)).length;
  const reused = checked.filter(([id, name]) => stored.has(id) && stored.get(id) !== name).length;
  return { lost, reused, lastId };
}
