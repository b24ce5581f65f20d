import type { Dice } from './random.ts';

/** Changes a request, one byte to each character. */
type Mutation = (request: string, dice: Dice) => string;

const METHODS = 'GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT PRI get FOO M-SEARCH'.split(
  ' ',
);
const VERSIONS =
  'HTTP/1.0 HTTP/1.1 HTTP/0.9 HTTP/2.0 HTTP/3 HTTP/1.01 HTTP/1.10 HTTP/11 http/1.1 HTTP/1,1 HTTP/ HTTPS/1.1'.split(
    ' ',
  );
const TARGETS = [
  '*',
  '/',
  '//',
  '',
  'localhost:80',
  'http://localhost/v1/pets',
  'http://other.example/v1/pets',
  'https://user:password@[::1]:99999/v1/pets',
  'http:///v1/pets',
  'http://',
  'ftp://localhost/v1/pets',
  '/v1/../v1/pets',
  '/v1/./pets',
  '/../../etc/passwd',
  '/v1/pets/..%2f..%2f',
  '/v1\\pets',
  '/v1/pets/.\\1',
  '/%76%31/pets',
  '/v1/pets/%31',
  '/v1/pets/%',
  '/v1/pets/%zz',
  '/v1/pets/%00',
  '/v1/pets/%ff%fe',
  '/v1/pets/%c0%af',
  '/v1/pets/%e2%80%ae',
  '/v1/pets/\x00',
  '/v1/pets/\xc3\xa9',
  '/v1/pets/\xff',
  '/v1/pets/\x7f',
  '/v1/pets#1',
  '/v1/pets?#?',
  '/v1/pets?limit=%00&limit=\xff',
  `/v1/pets?${'&'.repeat(5_000)}`,
  `/${'a/'.repeat(4_000)}`,
  '/v1/pets/9223372036854775808',
  '/v1/pets/-9223372036854775808',
  '/v1/pets/__proto__',
  '/docs/../docs',
];
const BYTES = [
  '\x00',
  '\r',
  '\n',
  '\r\n',
  '\t',
  ' ',
  ':',
  ',',
  ';',
  '"',
  '\x0b',
  '\x7f',
  '\xff',
  '\xc3',
];
const LENGTHS =
  '0,1,44,46,-1,+45,0x2d,45 45,45;45,4.5e1,045,\xd9\xa1,,99999,4294967296,18446744073709551661,1e400'.split(
    ',',
  );
const CODINGS = [
  'chunked',
  'Chunked',
  'xchunked',
  'chunked, identity',
  'identity, chunked',
  'gzip, chunked',
  'chunked, chunked',
  '\tchunked',
  'chunked;q=1',
  '"chunked"',
  'identity',
  'chunked\x00',
  '',
];
const HEADERS = [
  'Host: other.example',
  'Host:',
  'Host: a, b',
  'Host: \xff',
  'Connection: upgrade',
  'Connection: close, keep-alive',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13',
  'Expect: 100-continue',
  'Expect: something',
  'Trailer: X-Sum',
  'TE: trailers',
  'Range: bytes=0-1,2-3,-1',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset="\\"utf-8"',
  'Authorization: Bearer',
  'Authorization: Basic Og==',
  'Authorization: Bearer \xff\xfe',
  'Idempotency-Key: \xc3\xa9',
  'Idempotency-Key:',
  'X-Forwarded-For: 1.2.3.4, \x01',
  'If-None-Match: *',
  'If-None-Match: "',
  'Origin: null',
  'Proxy-Connection: keep-alive',
  'X-HTTP-Method-Override: DELETE',
  'Cookie: a=b; c',
  '__proto__: 1',
  'constructor: 1',
  ': no name',
  'no colon',
  'Spaced : 1',
  'In valid: 1',
  'X-\xe9: 1',
  'X-Nul: a\x00b',
  'X-Folded: a\r\n b',
  '\tX-Tab: 1',
];

/** Takes a place at random and replaces some bytes there. */
function splice(request: string, at: number, removed: number, added: string): string {
  return request.slice(0, at) + added + request.slice(at + removed);
}

/** Adds a line after the request line. */
function addHeader(request: string, line: string): string {
  const at = request.indexOf('\r\n');
  return at === -1 ? request : splice(request, at, 0, `\r\n${line}`);
}

function replaceWord(request: string, index: number, word: string): string {
  const [line = '', ...rest] = request.split('\r\n');
  const words = line.split(' ');
  words[index] = word;
  return [words.join(' '), ...rest].join('\r\n');
}

function replaceHeader(request: string, name: string, value: string): string {
  const pattern = new RegExp(`\r\n${name}:[^\r]*`, 'i');
  const line = `${name}: ${value}`;
  return pattern.test(request)
    ? request.replace(pattern, () => `\r\n${line}`)
    : addHeader(request, line);
}

/** The line endings of a request, in order. */
function lineEndings(request: string): readonly number[] {
  return [...request.matchAll(/\r\n/g)].map(({ index }) => index);
}

const MUTATIONS: readonly Mutation[] = [
  function flipBit(request, dice) {
    const at = dice.below(request.length);
    return splice(
      request,
      at,
      1,
      String.fromCharCode(request.charCodeAt(at) ^ (1 << dice.below(8))),
    );
  },
  (request, dice) => splice(request, dice.below(request.length), 0, dice.pick(BYTES)),
  (request, dice) => splice(request, dice.below(request.length), 1, dice.pick(BYTES)),
  function insertAnyByte(request, dice) {
    return splice(request, dice.below(request.length), 0, String.fromCharCode(dice.below(256)));
  },
  (request, dice) => splice(request, dice.below(request.length), dice.between(1, 8), ''),
  function duplicate(request, dice) {
    const at = dice.below(request.length);
    return splice(request, at, 0, request.slice(at, at + dice.between(1, 64)));
  },
  (request, dice) => request.slice(0, dice.below(request.length)),
  function changeLineEnding(request, dice) {
    const endings = lineEndings(request);
    if (endings.length === 0) return request;
    const ending = dice.pick([
      '\n',
      '\r',
      '\r\r\n',
      '\n\r',
      '\r\n ',
      '\r\n\t',
      '\r\n\r\n',
      ' \r\n',
      '',
    ]);
    return splice(request, dice.pick(endings), 2, ending);
  },
  (request, dice) => request.replaceAll('\r\n', dice.pick(['\n', '\r', '\r\r\n'])),
  function changeSpaces(request, dice) {
    const spaces = [...request.matchAll(/ /g)].map(({ index }) => index);
    if (spaces.length === 0) return request;
    return splice(
      request,
      dice.pick(spaces),
      1,
      dice.pick(['', '  ', '\t', '\x0b', '\xa0', '\r\n ']),
    );
  },
  (request, dice) => replaceWord(request, 0, dice.pick(METHODS)),
  (request, dice) => replaceWord(request, 1, dice.pick(TARGETS)),
  (request, dice) => replaceWord(request, 2, dice.pick(VERSIONS)),
  (request, dice) => addHeader(request, dice.pick(HEADERS)),
  function duplicateHeader(request, dice) {
    const [first = '', ...lines] = (request.split('\r\n\r\n')[0] ?? '').split('\r\n');
    return lines.length === 0 ? first + request : addHeader(request, dice.pick(lines));
  },
  function addHugeHeader(request, dice) {
    return addHeader(request, `X-Huge: ${'a'.repeat(dice.pick([1_000, 8_000, 16_384, 40_000]))}`);
  },
  function addManyHeaders(request, dice) {
    const count = dice.pick([50, 99, 150, 210, 400]);
    return addHeader(request, Array.from({ length: count }, (_, i) => `X-${i}: ${i}`).join('\r\n'));
  },
  (request, dice) => replaceHeader(request, 'Content-Length', dice.pick(LENGTHS)),
  (request, dice) => addHeader(request, `Content-Length: ${dice.pick(LENGTHS)}`),
  (request, dice) => replaceHeader(request, 'Transfer-Encoding', dice.pick(CODINGS)),
  (request, dice) => addHeader(request, `Transfer-Encoding: ${dice.pick(CODINGS)}`),
  function changeChunkSize(request, dice) {
    const size = dice.pick([
      '0',
      '00',
      '-1',
      '+2d',
      '0x2d',
      ' 2d',
      '2d ',
      'fffffffffffffffff',
      '2d;a',
      '2d;a="\r\n"',
      'g',
      '',
    ]);
    return request.replace(/\r\n\r\n[\da-f]+\r\n/, `\r\n\r\n${size}\r\n`);
  },
  function changeLastChunk(request, dice) {
    const end = dice.pick([
      '',
      '0',
      '0\r\n',
      '0\r\nX-Sum: 1\r\n\r\n',
      '0\r\n\r',
      '0;a\r\n\r\n',
      '0\n\n',
    ]);
    return request.replace(/\r\n0\r\n\r\n$/, `\r\n${end}`);
  },
  (request) => `\r\n${request}`,
];

/** A request with one to four changes. Most have one, so that they pass the first checks. */
export function mutate(request: string, dice: Dice): string {
  let mutated = request;
  do mutated = dice.pick(MUTATIONS)(mutated, dice);
  while (mutated.length > 0 && dice.chance(0.3));
  return mutated;
}
