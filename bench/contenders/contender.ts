import type { Fixture } from '../measure/fixture.ts';
import type { PlannedRequest } from '../measure/request.ts';
import type { WorkloadName } from '../measure/workloads.ts';

export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly fixture: Fixture;
  /** Compared with Animal Store on these. */
  readonly workloads: readonly WorkloadName[];
  /** Runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** Invents its responses. */
  readonly isMock?: boolean;
  /** The server is this one file. `build` makes it. */
  readonly program?: string;
  /** Returns false where this machine cannot build the server. */
  build?(): boolean;
  /** For a server with another API than Animal Store, which runs in this folder. */
  dialect?(folder: string): Dialect;
  /** The checkout whose command fills the store. */
  readonly checkout: string;
  /** The command line of the server. */
  words(settings: Settings): readonly string[];
}

/** Another API for the same pets. */
export interface Dialect {
  /** The request that asks for the same. */
  translate(request: PlannedRequest): PlannedRequest;
  /** Sends a request of Animal Store. The response has the status and the body of Animal Store. */
  send(url: string, request: PlannedRequest): Promise<Response>;
}

/** The environment of a server. RESPONSE is a getPet, for servers that always send the same. */
export type Settings = Readonly<
  Record<'PORT' | 'OPERATOR_PORT' | 'OPERATOR_TOKEN' | 'FOLDER' | 'RESPONSE', string>
>;
