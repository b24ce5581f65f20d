import { exchange, responsesIn } from '../../faults/raw-connection.ts';
import { MAX_BODY_BYTES, MAX_BODY_PIECES } from '../../src/contract/api.ts';
import { head } from '../../test/support/http.ts';
import { MOST_OF_ODD } from './costly-requests.ts';
import { create } from './request.ts';
import type { Server } from './server.ts';

/** A body that arrives in a way that makes the service work hard. */
export interface Arrival {
  readonly title: string;
  /** The request must cost at most this many times as much as a getPet. */
  readonly most: number;
  /** The parts of the request. Each is sent in its own packet, if it fits. */
  readonly packets: readonly Uint8Array[];
  /** The client closes its sending side before the body is complete. */
  readonly endsEarly?: boolean;
}

const BODY = String(create(1).body).padEnd(MAX_BODY_BYTES);
const CHUNKED = headOf('Transfer-Encoding: chunked');
const WITH_LENGTH = headOf(`Content-Length: ${BODY.length}`);
const IN_PACKETS = 'each in a packet';

/**
 * The bound on PostgreSQL and Redis. While the service waits for Redis, the runtime parses the chunks that have
 * arrived, and offers no way to stop it. So all chunks of such a body are parsed before the first is counted.
 */
const MOST_SHARED = 150;

/** Bodies in far more pieces than the service accepts, in exactly as many as it accepts, and without an end. */
export const ARRIVALS: readonly Arrival[] = [
  ...[1, 7, 16, 4_096].flatMap((bytes) => {
    const title = `chunks of ${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
    return [
      atOnce(title, CHUNKED, chunksOf(bytes)),
      arrival(`${title}, ${IN_PACKETS}`, CHUNKED, ...chunksOf(bytes)),
    ];
  }),
  arrival('a packet for each byte', WITH_LENGTH, ...BODY),
  arrival('a packet for each byte, without a valid key', withInvalidKey(WITH_LENGTH), ...BODY),
  arrival(
    'chunks of 64 KiB without an end',
    CHUNKED,
    ...Array.from({ length: 1_000 }, () => chunksOf(BODY.length)[0] ?? ''),
  ),
  arrival(
    `${MAX_BODY_PIECES} chunks, ${IN_PACKETS}: the most`,
    CHUNKED,
    ...chunksOf(Math.ceil(BODY.length / MAX_BODY_PIECES)),
  ),
  arrival(
    'chunks of 1 byte after `Expect: 100-continue`',
    headOf('Transfer-Encoding: chunked', 'Expect: 100-continue'),
    chunksOf(1).join(''),
  ),
  {
    ...atOnce('chunks of 1 byte that end early', CHUNKED, chunksOf(1).slice(0, 10_000)),
    endsEarly: true,
  },
  atOnce('chunks of 1 byte, without a valid key', withInvalidKey(CHUNKED), chunksOf(1)),
];

/** The bodies that cost more on PostgreSQL and Redis. */
export const SHARED_ARRIVALS: readonly Arrival[] = [
  {
    ...atOnce('chunks of 1 byte, on PostgreSQL and Redis', CHUNKED, chunksOf(1)),
    most: MOST_SHARED,
  },
];

function atOnce(title: string, start: string, chunks: readonly string[]): Arrival {
  return arrival(title, start + chunks.join(''));
}

function arrival(title: string, ...packets: readonly string[]): Arrival {
  return { title, most: MOST_OF_ODD, packets: packets.map((each) => Buffer.from(each)) };
}

function headOf(...framing: readonly string[]): string {
  const { path, headers } = create(1);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return head(`POST ${path} HTTP/1.1`, ...fields, ...framing);
}

function withInvalidKey(start: string): string {
  return start.replace('Bearer ', 'Bearer x');
}

function chunksOf(bytes: number): string[] {
  const parts = BODY.match(new RegExp(`.{1,${bytes}}`, 'g')) ?? [];
  return [...parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`), '0\r\n\r\n'];
}

/** Sends the body on a new connection until there is a response, or the service closes the connection. */
export async function deliver(server: Server, { packets, endsEarly }: Arrival): Promise<void> {
  const isDone = (received: string) => responsesIn(received).length > 0;
  const sending = { parts: packets, isDone, halfCloses: endsEarly ?? false };
  const { timedOut } = await exchange(server.url, sending);
  if (timedOut) throw new Error('A body got no response');
}
