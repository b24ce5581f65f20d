import type { ApiCaller } from '../test/support/http.ts';

const WRITERS = 16;

/** Pets that the service has confirmed: their names by id. */
export class Confirmed extends Map<number, string> {
  /** How many times an id was confirmed for a second pet. */
  reused = 0;
  /** How many creations got a response other than 201. */
  refused = 0;

  override set(id: number, name: string): this {
    if (this.has(id) && this.get(id) !== name) this.reused++;
    return super.set(id, name);
  }

  override clear(): void {
    super.clear();
    this.reused = 0;
  }
}

/** Creates pets until the service is gone, and records every confirmed pet. */
export async function writeUntilGone(
  { add }: ApiCaller,
  prefix: string,
  confirmed: Confirmed,
): Promise<void> {
  const write = async (writer: number) => {
    for (let count = 0; ; count++) {
      const name = `${prefix} ${writer} ${count}`;
      const response = await add(name);
      if (response.status !== 201) {
        confirmed.refused++;
        throw new Error(`A creation got ${response.status}`);
      }
      const { id } = (await response.json()) as { id: number };
      confirmed.set(id, name);
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  await Promise.allSettled(writers);
}

interface Losses {
  readonly lost: number;
  /** Ids that were given to two pets. */
  readonly reused: number;
  readonly lastId: number;
}

/** Compares the stored pets whose id is above `after` with the confirmed pets. */
export async function findLosses(
  caller: ApiCaller,
  confirmed: ReadonlyMap<number, string> & { readonly reused?: number },
  after = 0,
): Promise<Losses> {
  const stored = new Map<number, string>();
  let lastId = after;
  for await (const { id, name } of caller.petsAfter(after)) {
    stored.set(id, name);
    lastId = id;
  }
  const checked = [...confirmed].filter(([id]) => id > after);
  const lost = checked.filter(([id]) => !stored.has(id)).length;
  const changed = checked.filter(([id, name]) => stored.has(id) && stored.get(id) !== name).length;
  return { lost, reused: (confirmed.reused ?? 0) + changed, lastId };
}
