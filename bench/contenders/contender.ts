import type { Fixture } from '../measure/fixture.ts';
import type { PlannedRequest } from '../measure/request.ts';
import type { WorkloadName } from '../measure/workloads.ts';

export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly fixture: Fixture;
  /** The workloads on which this server is compared with Animal Store. */
  readonly workloads: readonly WorkloadName[];
  /** True if the server runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** True if the server is a mock, which invents its responses. */
  readonly isMock?: boolean;
  /** The path of the executable that `build` makes, if the server is a single file. */
  readonly program?: string;
  /** Returns false where this machine cannot build the server. */
  build?(): boolean;
  /** For a server that runs in `folder` and whose API differs from that of Animal Store. */
  dialect?(folder: string): Dialect;
  /** The checkout whose command fills the store. */
  readonly checkout: string;
  /** The command line of the server. */
  words(settings: Settings): readonly string[];
}

/** How to use another API that serves the same pets. */
export interface Dialect {
  /** Returns the request of the other API that asks for the same pets. */
  translate(request: PlannedRequest): PlannedRequest;
  /** Translates and sends a request. The response has the status and the body that Animal Store would send. */
  send(url: string, request: PlannedRequest): Promise<Response>;
}

/** The environment of a server. RESPONSE is the response of a getPet, for servers that always send the same. */
export type Settings = Readonly<
  Record<'PORT' | 'OPERATOR_PORT' | 'OPERATOR_TOKEN' | 'FOLDER' | 'RESPONSE', string>
>;
