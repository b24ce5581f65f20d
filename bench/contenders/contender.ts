import type { Fixture } from '../measure/fixture.ts';
import type { PlannedRequest } from '../measure/request.ts';
import type { WorkloadName } from '../measure/workloads.ts';

export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly fixture: Fixture;
  /** The workloads on which it is compared with Animal Store. */
  readonly workloads: readonly WorkloadName[];
  /** Whether it runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** Whether it is a mock, which invents its responses. */
  readonly isMock?: boolean;
  /** The server is this one file. `build` makes it. */
  readonly program?: string;
  /** Returns false where this machine cannot build the server. */
  build?(): boolean;
  /** Returns how to use a server whose API differs from that of Animal Store. The server runs in `folder`. */
  dialect?(folder: string): Dialect;
  /** The checkout whose command fills the store. */
  readonly checkout: string;
  /** The command line of the server. */
  words(settings: Settings): readonly string[];
}

/** How to use another API that serves the same pets. */
export interface Dialect {
  /** Returns the request of the other API that asks for the same. */
  translate(request: PlannedRequest): PlannedRequest;
  /** Sends a request of Animal Store. The response has the status and the body of Animal Store. */
  send(url: string, request: PlannedRequest): Promise<Response>;
}

/** The environment of a server. RESPONSE is the response of a getPet, for servers that always send the same. */
export type Settings = Readonly<
  Record<'PORT' | 'OPERATOR_PORT' | 'OPERATOR_TOKEN' | 'FOLDER' | 'RESPONSE', string>
>;
