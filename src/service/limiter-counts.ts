import { openUsage } from '../cli/open-store.ts';
import { printable } from '../cli/printable.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError, StoreUnavailableError } from '../domain/error.ts';
import type { UsageReader } from '../domain/usage-journal.ts';

/** One count for each item, or a sentence that says why they are not known. */
type Counts<T> =
  | { readonly known: readonly T[]; readonly unknown?: undefined }
  | { readonly known?: undefined; readonly unknown: string };

const READS_AT_ONCE = 500;

/** Reads counts of the limiter. Commands that can do without them work while Redis is away. */
export async function readCounts<Item, T>(
  store: OperatorStore,
  items: readonly Item[],
  read: (item: Item, usage: UsageReader) => Promise<T>,
): Promise<Counts<T>> {
  try {
    await using counts = await openUsage(store);
    const { usage } = counts;
    if (usage === undefined) {
      throw new OperatorError(
        'Without REDIS_URL each instance counts in its own memory, which no command can read.',
      );
    }
    const known: T[] = [];
    for (let start = 0; start < items.length; start += READS_AT_ONCE) {
      const batch = items.slice(start, start + READS_AT_ONCE);
      known.push(...(await Promise.all(batch.map((item) => read(item, usage)))));
    }
    return { known };
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    return { unknown: (cause as Error).message };
  }
}

/** Says on standard error what a table could not show. In JSON, a note says so. */
export function warnUnknown(json: boolean | undefined, note: string | undefined): void {
  if (note !== undefined && !json) console.error(printable(note));
}
