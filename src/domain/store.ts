import type { AccountStore } from './account-store.ts';
import type { KeyFinder } from './api-key.ts';
import type { PetStore } from './pet.ts';

/** All that a service keeps. */
export interface Store extends AsyncDisposable {
  readonly pets: PetStore;
  readonly accounts: AccountStore & KeyFinder;
  /** False when it will not take writes again until the program is restarted. */
  readonly isAlive: () => boolean;
  /** Whether it answers reads and takes writes. May throw `service_unavailable` instead of no. */
  isReady(): Promise<boolean>;
}
