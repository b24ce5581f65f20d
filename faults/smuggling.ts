import { serveWithKey } from '../test/support/command.ts';
import { head } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';
import { atLeast, type Fault, none, tryInParallel } from './fault.ts';
import { below, pick } from './random.ts';
import { exchange, responsesIn } from './raw-connection.ts';
import { errorLines, isAlive } from './service.ts';

const CONNECTIONS = 16;
const CONTROLS = 10;
/** The runtime also serves requests that are pipelined behind these, because these responses do not wait for a disk. */
const REQUEST_LINES = [
  'POST /v1/nothing HTTP/1.1',
  'GET /v1/pets HTTP/1.1',
  'DELETE /v1/pets/1 HTTP/1.1',
  'POST /docs HTTP/1.1',
  'POST /v1/pets HTTP/1.1',
];

/** Hides a request in another request. Each character of the text stands for one byte. */
type Shape = (headers: (...lines: string[]) => string, hidden: string) => string;

const CHUNKED = 'Transfer-Encoding: chunked';

/** Headers that one server may read as "chunked", and another server as something else. */
const CODINGS = [
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: \x00chunked',
  'Transfer-Encoding\x00: chunked',
  'Transfer-Encoding: chunked\xa0',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding:\r\n chunked',
  'X: a\nTransfer-Encoding: chunked',
  'X: a\rTransfer-Encoding: chunked',
];

/** Lengths that some server may read as 0. */
const LENGTHS = [
  '+0',
  '-0',
  '-1',
  '0x0',
  '0 5',
  '0, 5',
  '5, 0',
  '0;',
  '0.0',
  '0_0',
  '"0"',
  '',
  '0\x00',
  '\x0b0',
  '\xa00',
  '18446744073709551616',
  '0\r\nContent-Length: 5',
  '5\r\nContent-Length: 0',
].map((length) => `Content-Length: ${length}`);
const LENGTH_LINES = [
  ...LENGTHS,
  'Content-Length : 0',
  ' Content-Length: 0',
  'Content-Length:\r\n 0',
  'X: a\nContent-Length: 0',
  'X: a\r\n b\r\nContent-Length: 0',
];

/** Malformed sizes of a chunk of two bytes, malformed ends of a chunk, and malformed last chunks. */
const SIZES = [
  '+2',
  '-2',
  '0x2',
  ' 2',
  '2 ',
  '2,0',
  '2g',
  '2\x00',
  '2\n',
  '2;a\nb',
  '1000000000000000002',
  '',
];
const CHUNK_ENDS = ['', '\n', '\r', 'XX', ' \r\n', '\n\r'];
const LAST_CHUNKS = ['0\n\n', '0\r\r', '0\r\n\n', '-0\r\n\r\n', '0 \r\n\r\n', '0\r\n \r\n\r\n'];

/** A header, and the bytes between the headers and the hidden request. One of the two is malformed. */
const FRAMINGS: readonly (readonly [line: string, between: string])[] = [
  ...CODINGS.map((coding) => [coding, '0\r\n\r\n'] as const),
  ...LENGTH_LINES.map((line) => [line, ''] as const),
  ...SIZES.map((size) => [CHUNKED, `${size}\r\n{}\r\n0\r\n\r\n`] as const),
  ...CHUNK_ENDS.map((end) => [CHUNKED, `2\r\n{}${end}0\r\n\r\n`] as const),
  ...LAST_CHUNKS.map((last) => [CHUNKED, `2\r\n{}\r\n${last}`] as const),
];

/** The length covers the hidden request; the chunks end before it. */
function lengthThenChunks(coding: string): Shape {
  return (headers, hidden) => {
    const body = `0\r\n\r\n${hidden}`;
    return headers(`Content-Length: ${body.length}`, coding) + body;
  };
}

/** A chunk covers the hidden request; the length ends before it. */
function chunksThenLength(coding: string): Shape {
  return (headers, hidden) => {
    const size = `${hidden.length.toString(16)}\r\n`;
    return `${headers(coding, `Content-Length: ${size.length}`)}${size}${hidden}\r\n0\r\n\r\n`;
  };
}

function framed([line, between]: (typeof FRAMINGS)[number]): Shape {
  return (headers, hidden) => headers(line) + between + hidden;
}

/** A service that reads these bytes correctly refuses the outer request, and closes the connection. */
const MALFORMED: readonly Shape[] = [
  ...[CHUNKED, ...CODINGS].map(lengthThenChunks),
  ...[CHUNKED, ...CODINGS].map(chunksThenLength),
  ...FRAMINGS.map(framed),
];

/** A well-formed request whose body is another request. The service may serve the outer request, but not its body. */
const CARRIERS: readonly Shape[] = [
  (headers, hidden) => headers(`Content-Length: ${hidden.length}`) + hidden,
  (headers, hidden) =>
    `${headers(CHUNKED)}${hidden.length.toString(16)};a=b\r\n${hidden}\r\n0\r\n\r\n`,
];
const SHAPES = [...MALFORMED, ...CARRIERS];

export const smuggling: Fault = {
  name: 'smuggling',
  title: 'Request smuggling: requests hidden in other requests, with every well-known technique',
  unit: 'hidden requests',
  amounts: { full: 20_000, short: 2 * SHAPES.length },
  async run(trial) {
    await using service = await serveWithKey({ LOG_LEVEL: 'info' });
    const { secret } = service;
    const { random } = trial;
    const key = `Authorization: Bearer ${secret}`;
    // The log has the method of a request, but not its path.
    const send = (method: string) => head(`${method} /v1/pets HTTP/1.1`, key);
    const totals = { leftOpen: 0, failures: 0 };
    let made = 0;
    const next = () => {
      const shape = SHAPES[made++ % SHAPES.length] as Shape;
      const own = random() < 0.5 ? [key, 'Content-Type: application/json'] : [key];
      const requestLine = pick(REQUEST_LINES, random);
      const text = shape((...lines) => head(requestLine, ...own, ...lines), send('PUT'));
      const bytes = Buffer.from(text, 'latin1');
      const splitAt = random() < 0.3 ? below(bytes.length, random) : 0;
      return { bytes, splitAt, mustClose: MALFORMED.includes(shape) };
    };
    await tryInParallel(trial, CONNECTIONS, next, async ({ bytes, splitAt, mustClose }) => {
      const { received, timedOut } = await exchange(service.started.api, {
        parts: splitAt === 0 ? [bytes] : [bytes.subarray(0, splitAt), bytes.subarray(splitAt)],
        isDone: (text) => !mustClose && responsesIn(text).length > 0,
      });
      if (timedOut) totals.leftOpen++;
      if (responsesIn(received).some(({ status }) => status >= 500)) totals.failures++;
    });

    // This is a control: requests that are not hidden must appear in the log. Otherwise, it would prove nothing that
    // no hidden request appears there.
    for (let control = 0; control < CONTROLS; control++) {
      await exchange(service.started.api, {
        parts: [Buffer.from(send('GET') + send('PATCH'), 'latin1')],
        isDone: (text) => responsesIn(text).length === 2,
      });
    }
    const logged = (method: string) => service.stderr().split(`"method":"${method}"`).length - 1;
    await fetch(service.started.api, { method: 'HEAD' });
    await eventually(() => logged('HEAD') > 0);
    return [
      none('hidden requests served', logged('PUT')),
      atLeast(
        CONTROLS,
        'requests served in a control run that does not hide them',
        logged('PATCH'),
      ),
      none('connections kept open after a malformed request', totals.leftOpen),
      none('responses with a 5xx status', totals.failures),
      none('error lines in the log', errorLines(service).length),
      none('crashes', (await isAlive(service)) ? 0 : 1),
    ];
  },
};
