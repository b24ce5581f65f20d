import type { AccountStore } from './account-store.ts';
import type { KeyDirectory } from './api-key.ts';
import type { PetStore } from './pet.ts';

/** All that a service keeps. */
export interface Store extends AsyncDisposable {
  readonly pets: PetStore;
  readonly accounts: AccountStore & KeyDirectory;
  /** Whether it can be read and written. Throws `service_unavailable` when not even that is known. */
  isReady(): Promise<boolean>;
}
