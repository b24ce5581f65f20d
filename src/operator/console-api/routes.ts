import type { OperatorStore } from '../../domain/backend.ts';
import type { Brownout } from '../../domain/brownout.ts';
import type { PetStore } from '../../domain/pet.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';
import { type Live, liveRoutes } from '../live.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import type { ConsoleRoutes } from './call.ts';
import { deprecationRoutes } from './deprecations.ts';
import { petRoutes } from './pets.ts';
import { historyRoutes, RecentUse } from './usage.ts';

interface ConsoleSources {
  readonly live: Live;
  readonly store: OperatorStore;
  /** The pets of the service, cached. */
  readonly pets: PetStore;
  /** The counts of the limiter. */
  readonly usage: UsageReader;
  readonly brownouts: readonly Brownout[];
  readonly now: () => number;
  /** A new secret of a key. */
  readonly newSecret: () => string;
}

/** Everything that operators who are signed in can see and change. */
export function consoleRoutes(sources: ConsoleSources): ConsoleRoutes {
  const { live, store, pets, usage, brownouts, now, newSecret } = sources;
  const recentUse = new RecentUse(store.history, store.accounts, now);
  return {
    ...liveRoutes(live),
    ...historyRoutes(recentUse),
    ...accountRoutes({ store, usage, recentUse, now, newSecret }),
    ...petRoutes(pets, store),
    ...deprecationRoutes(store, brownouts, recentUse, now),
    ...auditRoutes(store, now),
  };
}
