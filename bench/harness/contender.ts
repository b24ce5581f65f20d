import type { Fixture } from './fixture.ts';
import type { Topic } from './questions.ts';
import type { WorkloadName } from './workloads.ts';

/** How a server is started. It gets these settings and no others of the machine. */
export interface Command {
  readonly words: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

/** An answer of Animal Store, for those that send nothing else. */
export interface CapturedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where a contender works. */
export interface Place {
  readonly folder: string;
  readonly port: number;
  /** A copy of its fixture, to read and to write. */
  readonly databaseFile: string;
  readonly answer: CapturedAnswer;
  readonly shared?: SharedServers | undefined;
}

export interface SharedServers {
  readonly postgresUrl: string;
  readonly redisUrl: string;
}

export interface Contender {
  readonly name: string;
  readonly title: string;
  /** What it does for keys, limits and storage. */
  readonly setup: string;
  readonly fixture: Fixture;
  readonly workloads: readonly WorkloadName[];
  /** What it is asked before and after, and must answer rightly. */
  readonly topics: readonly Topic[];
  /** Runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** Whether a quick run includes it. */
  readonly isQuick?: boolean;
  /** Absent from the run when this says no. */
  readonly isInstalled?: () => boolean;
  command(place: Place): Command;
  /** How many animals it holds, where that is not the number of rows in its data file. */
  countPets?(place: Place): Promise<number>;
}
