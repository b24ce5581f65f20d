import { OperatorError } from '#domain/error.ts';

interface StoreVersion {
  /** The number of migrations that the store got. */
  readonly version: number;
  /** The number of migrations that this program has. */
  readonly known: number;
  /** The name of the store in messages. */
  readonly store: string;
}

export function requireNotNewer({ version, known, store }: StoreVersion): void {
  if (version <= known) return;
  throw new OperatorError(`A newer version of Animal Store wrote ${store}. Use that version.`);
}

/** Used by commands, which must not create a store: the service might use another one, and never see what was written. */
export function requireKnown(store: StoreVersion): void {
  requireNotNewer(store);
  if (store.version === 0) throw noStore(store.store);
}

/** Used by commands that change a store. Only a service upgrades it. */
export function requireCurrent(store: StoreVersion): void {
  requireKnown(store);
  if (store.version === store.known) return;
  throw new OperatorError(
    `An older version of Animal Store wrote ${store.store}. Start the service of this version once, ` +
      'which upgrades the store. Nothing was changed.',
  );
}

export function noStore(store: string): OperatorError {
  return new OperatorError(
    `There is no store at ${store}. Run this in the folder of the service, or name its store with ` +
      '--database or DATABASE_URL. To create a new store, start the service.',
  );
}
