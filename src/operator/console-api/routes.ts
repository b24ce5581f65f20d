import type { OperatorStore } from '../../domain/backend.ts';
import type { Brownout } from '../../domain/brownout.ts';
import type { PetStore } from '../../domain/pet.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';
import type { Live } from '../live.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { historyRoutes } from './history.ts';
import { keyRoutes } from './keys.ts';
import { LimiterCounts } from './limiter-counts.ts';
import { liveRoutes } from './live.ts';
import { petRoutes } from './pets.ts';
import { RecentUse } from './recent-use.ts';
import type { ConsoleRoutes } from './route.ts';
import { sunsetRoutes } from './sunset.ts';

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
export function consoleRoutes({
  live,
  store,
  pets,
  usage,
  brownouts,
  now,
  newSecret,
}: ConsoleSources): ConsoleRoutes {
  const recentUse = new RecentUse(store.history, now);
  const counts = new LimiterCounts(usage, now);
  return {
    ...liveRoutes(live),
    ...historyRoutes(recentUse),
    ...accountRoutes({ store, counts, recentUse, now }),
    ...keyRoutes({ store, counts, now, newSecret }),
    ...petRoutes(pets, store),
    ...sunsetRoutes(store, brownouts, recentUse, now),
    ...auditRoutes(store, now),
  };
}
