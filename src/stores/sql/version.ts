import { OperatorError } from '../../domain/error.ts';

// The version of a store is the number of migrations that it got. `known` is the number that this
// program has.

export function requireNotNewer(version: number, known: number, store: string): void {
  if (version <= known) return;
  throw new OperatorError(`A newer version of Animal Store wrote ${store}. Use that version.`);
}

/** A command must not create a store: the service would never see what it wrote there. */
export function requireKnown(version: number, known: number, store: string): void {
  requireNotNewer(version, known, store);
  if (version > 0) return;
  throw noStore(store);
}

/** Only a service upgrades a store. */
export function requireCurrent(version: number, known: number, store: string): void {
  requireKnown(version, known, store);
  if (version === known) return;
  throw new OperatorError(
    `An older version of Animal Store wrote ${store}. Start the service of this version once, ` +
      'which upgrades the store. Nothing was changed.',
  );
}

export function noStore(store: string): OperatorError {
  return new OperatorError(
    `There is no store at ${store}. Run this in the folder of the service, or name its store with ` +
      '--database or DATABASE_URL. To create a new store, start the service.',
  );
}
