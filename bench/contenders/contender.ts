import type { Fixture } from '../measure/fixture.ts';
import type { WorkloadName } from '../measure/workloads.ts';

export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly fixture: Fixture;
  /** Compared with Animal Store on these. */
  readonly workloads: readonly WorkloadName[];
  /** How many times as fast Animal Store has to be. */
  readonly goals?: Readonly<Partial<Record<WorkloadName, number>>>;
  /** Runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** Invents its responses. */
  readonly isMock?: boolean;
  /** An operator watches the console. */
  readonly hasConsole?: boolean;
  /** The checkout whose command fills the store. */
  readonly checkout: string;
  /** The command line of the server. */
  words(settings: Settings): readonly string[];
}

/** The environment of a server. RESPONSE is a getPet, for servers that always send the same. */
export type Settings = Readonly<Record<'PORT' | 'FOLDER' | 'RESPONSE', string>>;
