import { serveWithKey } from '../test/support/command.ts';
import { creationHead, head } from '../test/support/http.ts';
import { atLeast, type Fault, none, tryInParallel } from './fault.ts';
import { below, pick, type Random } from './random.ts';
import { exchange, HANG_MS, responsesIn } from './raw-connection.ts';
import { errorLines, isAlive } from './service.ts';

const CONNECTIONS = 64;
/** The service waits for the rest of an incomplete request, so the client gives up after this time. */
const GIVE_UP_MS = 100;
const SHOWN = 10;

const REX = '{"name":"Rex","categoryId":7,"status":"sold"}';

/** Well-formed requests, one of each kind. */
function wellFormedRequests(secret: string): readonly string[] {
  const key = `Authorization: Bearer ${secret}`;
  const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  return [
    head('GET /v1/pets?limit=2&status=sold&after=1 HTTP/1.1', key, 'Accept: application/json'),
    head('GET /v1/pets/1 HTTP/1.1', key, 'Accept-Encoding: gzip, br'),
    head('HEAD /v1/pets/1 HTTP/1.1', key),
    head('GET /v1/pets/1 HTTP/1.0', key, 'Connection: keep-alive'),
    head('DELETE /v1/pets/1 HTTP/1.1', key),
    head('OPTIONS /v1/pets HTTP/1.1', 'Origin: https://a.example'),
    head('GET /docs HTTP/1.1', 'If-None-Match: "a", W/"b"', 'Accept-Encoding: gzip;q=0.5, *;q=0'),
    head('GET /v1/pets HTTP/1.1'),
    creationHead(secret, REX, 'Idempotency-Key: one') + REX,
    creationHead(secret, REX, 'Expect: 100-continue') + REX,
    `${head('POST /v1/pets HTTP/1.1', key, ...chunked)}${REX.length.toString(16)}\r\n${REX}\r\n0\r\n\r\n`,
  ];
}

const BYTES = [
  '\x00',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\t',
  ' ',
  ':',
  ',',
  '"',
  '\x7f',
  '\xff',
  '%',
];
/** Replacements for each word of the request line: the method, the target and the version. */
const WORDS: readonly (readonly string[])[] = [
  ['PUT', 'TRACE', 'CONNECT', 'PRI', 'get', 'FOO'],
  [
    '*',
    '/',
    '//',
    '',
    'http://other.example/v1/pets',
    'http://',
    'https://u:p@[::1]:99999/',
    '/v1/../v1/pets',
    '/../../etc/passwd',
    '/v1\\pets',
    '/v1/pets/%',
    '/v1/pets/%00',
    '/%c0%af',
    '/v1/pets/\xff',
    '/v1/pets#1',
    `/v1/pets?${'&'.repeat(5_000)}`,
    `/${'a/'.repeat(4_000)}`,
  ],
  ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.01', 'http/1.1', 'HTTP/', 'HTTPS/1.1'],
];
const HEADERS = [
  'Host: other.example',
  'Host:',
  'Host: \xff',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Expect: something',
  'Trailer: X-Sum',
  'Range: bytes=0-1,-1',
  'Cookie: a=b; c',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Content-Length: 1',
  'Content-Length: -1',
  'Content-Length: 99999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Expect:',
  'Authorization: Bearer \xff',
  'Idempotency-Key: \xc3\xa9',
  'If-None-Match: "',
  'Origin: null',
  '__proto__: 1',
  ': no name',
  'no colon',
  'In valid: 1',
  'X-Folded: a\r\n b',
  'X-Nul: a\x00b',
  `X-Huge: ${'a'.repeat(40_000)}`,
  Array.from({ length: 210 }, (_, index) => `X-${index}: 1`).join('\r\n'),
];

/** Changes a request. Each character of the text stands for one byte. */
type Mutation = (request: string, random: Random) => string;

function splice(request: string, at: number, removed: number, added: string): string {
  return request.slice(0, at) + added + request.slice(at + removed);
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(request, random) {
    const at = below(request.length, random);
    const flipped = request.charCodeAt(at) ^ (1 << below(8, random));
    return splice(request, at, 1, String.fromCharCode(flipped));
  },
  (request, random) =>
    splice(request, below(request.length, random), below(3, random), pick(BYTES, random)),
  function repeatPart(request, random) {
    const at = below(request.length, random);
    return splice(request, at, 0, request.slice(at, at + below(64, random)));
  },
  (request, random) => request.slice(0, below(request.length, random)),
  function changeWord(request, random) {
    const [line = '', ...rest] = request.split('\r\n');
    const words = line.split(' ');
    const place = below(WORDS.length, random);
    words[place] = pick(WORDS[place] ?? [], random);
    return [words.join(' '), ...rest].join('\r\n');
  },
  (request, random) => request.replace('\r\n', () => `\r\n${pick(HEADERS, random)}\r\n`),
];

/** Most requests get only one change, so that they pass the first checks of the parser. */
function mutate(request: string, random: Random): string {
  let mutated = request;
  do mutated = pick(MUTATIONS, random)(mutated, random);
  while (mutated.length > 0 && random() < 0.3);
  return mutated;
}

/** The most requests that these bytes can contain, because every request names its version of HTTP. */
function mostRequests(bytes: string): number {
  return bytes.split('HTTP/1').length - 1;
}

export const malformedHttp: Fault = {
  name: 'http',
  title: 'Malformed HTTP on raw sockets',
  unit: 'mutated requests',
  amounts: { full: 100_000, short: 1_500 },
  async run(trial) {
    await using service = await serveWithKey();
    const { secret } = service;
    const { random } = trial;
    const requests = wellFormedRequests(secret);
    const totals = { unanswered: 0, leftOpen: 0, failures: 0, surplus: 0, served: 0 };
    const next = () => {
      const sound = pick(requests, random);
      const mutated = mutate(pick(requests, random), random);
      const bytes = pick([mutated, mutated, sound + mutated, mutated + sound], random);
      return {
        sound,
        bytes: Buffer.from(bytes, 'latin1'),
        splitAt: random() < 0.2 ? below(bytes.length, random) : 0,
        halfCloses: random() < 0.2,
      };
    };
    await tryInParallel(trial, CONNECTIONS, next, async ({ sound, bytes, splitAt, halfCloses }) => {
      const most = mostRequests(bytes.toString('latin1'));
      const { received, isLeftOpen } = await exchange(service.started.api, {
        parts: splitAt === 0 ? [bytes] : [bytes.subarray(0, splitAt), bytes.subarray(splitAt)],
        isDone: (text) => responsesIn(text).length >= most,
        halfCloses,
        timeoutMs: GIVE_UP_MS,
      });
      const responses = responsesIn(received);
      const served = responses.filter(({ isOurs }) => isOurs).length;
      // The runtime responds 505 to other versions of HTTP, as it should.
      const hasFailed = responses.some(({ status }) => status >= 500 && status !== 505);
      totals.served += served;
      if (hasFailed) totals.failures++;
      if (isLeftOpen) totals.leftOpen++;
      if (served > most) totals.surplus++;
      if ((hasFailed || isLeftOpen || served > most) && totals.failures + totals.leftOpen < SHOWN) {
        console.error(`${JSON.stringify(bytes.toString('latin1'))}: ${JSON.stringify(received)}`);
      }
      const after = await exchange(service.started.api, {
        parts: [Buffer.from(sound, 'latin1')],
        isDone: (text) => responsesIn(text).length > 0,
        timeoutMs: HANG_MS,
      });
      if (responsesIn(after.received).filter(({ isOurs }) => isOurs).length !== 1) {
        totals.unanswered++;
      }
    });
    return [
      none('crashes', (await isAlive(service)) ? 0 : 1),
      none('connections left open', totals.leftOpen),
      none('responses with a 5xx status', totals.failures),
      none('error lines in the log', errorLines(service).length),
      none('connections with more responses than requests', totals.surplus),
      none('well-formed requests that did not get exactly one response', totals.unanswered),
      atLeast(Math.floor(trial.amount / 10), 'requests served', totals.served),
    ];
  },
};
