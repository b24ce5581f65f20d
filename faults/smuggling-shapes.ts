import { head, REX } from './raw-requests.ts';

/** Hides a request in another one, one byte to each character. */
interface Shape {
  /** A service that reads the bytes correctly refuses the outer request, and closes the connection. */
  readonly isMalformed: boolean;
  readonly bytes: (outer: Outer, hidden: string) => string;
}

/** The request that hides another one. */
export interface Outer {
  readonly requestLine: string;
  readonly headers: readonly string[];
}

const SIZE = REX.length.toString(16);

/** Each of them reads as "chunked" to some server, and as something else to another. */
const CODINGS = [
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
  ' Transfer-Encoding: chunked',
  '\tTransfer-Encoding: chunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding:\x0cchunked',
  'Transfer-Encoding: \x00chunked',
  'Transfer-Encoding: chunked\x00',
  'Transfer-Encoding: chun\x00ked',
  'Transfer-Encoding\x00: chunked',
  'Transfer-Encoding: chunked\xa0',
  'Transfer-Encoding: \x85chunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding:\r\n\tchunked',
  'X: a\nTransfer-Encoding: chunked',
  'X: a\rTransfer-Encoding: chunked',
  'X: a\r\n\x00Transfer-Encoding: chunked',
  'Transfer-Encoding\r\n: chunked',
  'Transfer-Encoding chunked',
];

/** Refused only together with a length, since alone they have one meaning. */
const PLAIN_CODINGS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding:chunked',
  'Transfer-Encoding:  chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: chunked ',
  'Transfer-Encoding: chunked\t',
  'transfer-encoding: CHUNKED',
  'Transfer-Encoding: chunked,',
  'Transfer-Encoding: ,chunked',
];

/** Each of them reads as 0 to some server. */
const LENGTHS = [
  '+0',
  '-0',
  '-1',
  '0x0',
  '0 0',
  '0 5',
  '0,0',
  '0, 5',
  '5, 0',
  '0;',
  '0.0',
  '0e1',
  '0_0',
  '"0"',
  '',
  '0\x00',
  '\x000',
  '\x0b0',
  '0\x0b',
  '\xa00',
  '\xd9\xa0',
  '18446744073709551616',
  '99999999999999999999',
];

const LENGTH_LINES = [
  ...LENGTHS.map((length) => `Content-Length: ${length}`),
  'Content-Length: 0\r\nContent-Length: 5',
  'Content-Length: 5\r\nContent-Length: 0',
  'Content-Length: 0\r\ncontent-length: 1',
  'Content-Length : 0',
  ' Content-Length: 0',
  'Content-Length:\r\n 0',
  'Content-Length\x00: 0',
  'Content-Length 0',
  'X: a\nContent-Length: 0',
  'X: a\rContent-Length: 0',
  'X: a\r\n b\r\nContent-Length: 0',
  'X: a\x00b\r\nContent-Length: 0',
  'X: a\r\n: b\r\nContent-Length: 0',
];

const CHUNK_SIZES = [
  `+${SIZE}`,
  `-${SIZE}`,
  `0x${SIZE}`,
  ` ${SIZE}`,
  `${SIZE} `,
  `\t${SIZE}`,
  `${SIZE}\t`,
  `${SIZE},0`,
  `${SIZE}g`,
  `${SIZE}\x00`,
  `${SIZE}\n`,
  `${SIZE}\r`,
  `${SIZE};a\nb`,
  `${SIZE};a\rb`,
  `${SIZE};\n`,
  `${SIZE};a="\r\n"`,
  `1${'0'.repeat(14)}${SIZE}`,
  `1${'0'.repeat(30)}${SIZE}`,
  'ffffffffffffffff',
  '-1',
  '',
  ';',
  '"',
];

/** What may follow the data of a chunk in place of CR LF. */
const CHUNK_ENDS = ['', '\n', '\r', 'XX', ' \r\n', '\r\r\n', '\n\r'];
/** What may end the chunks in place of the last one. */
const LAST_CHUNKS = [
  '0\n\n',
  '0\r\r',
  '0\r\n\n',
  '0\n\r\n',
  '-0\r\n\r\n',
  '0 \r\n\r\n',
  '0\r\n \r\n\r\n',
];

function outerHead({ requestLine, headers }: Outer, ...lines: readonly string[]): string {
  return head(requestLine, ...headers, ...lines);
}

const PLAIN = 'Transfer-Encoding: chunked';

/** The length covers the hidden request; the chunks end before it. */
function lengthThenChunks(coding: string): Shape {
  return {
    isMalformed: true,
    bytes(outer, hidden) {
      const body = `0\r\n\r\n${hidden}`;
      return outerHead(outer, `Content-Length: ${body.length}`, coding) + body;
    },
  };
}

/** A chunk covers the hidden request; the length ends before it. */
function chunksThenLength(coding: string): Shape {
  return {
    isMalformed: true,
    bytes(outer, hidden) {
      const size = `${hidden.length.toString(16)}\r\n`;
      return `${outerHead(outer, coding, `Content-Length: ${size.length}`)}${size}${hidden}\r\n0\r\n\r\n`;
    },
  };
}

function malformed(bytes: Shape['bytes']): Shape {
  return { isMalformed: true, bytes };
}

/** A well-formed request whose body is a request. It may be served, its body must not. */
function carrier(bytes: Shape['bytes']): Shape {
  return { isMalformed: false, bytes };
}

export const SHAPES: readonly Shape[] = [
  ...[...CODINGS, ...PLAIN_CODINGS].flatMap((coding) => [
    lengthThenChunks(coding),
    chunksThenLength(coding),
  ]),
  ...CODINGS.map((coding) =>
    malformed((outer, hidden) => `${outerHead(outer, coding)}0\r\n\r\n${hidden}`),
  ),
  ...LENGTH_LINES.map((line) => malformed((outer, hidden) => outerHead(outer, line) + hidden)),
  ...CHUNK_SIZES.map((size) =>
    malformed(
      (outer, hidden) => `${outerHead(outer, PLAIN)}${size}\r\n${REX}\r\n0\r\n\r\n${hidden}`,
    ),
  ),
  ...CHUNK_ENDS.map((end) =>
    malformed(
      (outer, hidden) => `${outerHead(outer, PLAIN)}${SIZE}\r\n${REX}${end}0\r\n\r\n${hidden}`,
    ),
  ),
  ...LAST_CHUNKS.map((last) =>
    malformed((outer, hidden) => `${outerHead(outer, PLAIN)}${SIZE}\r\n${REX}\r\n${last}${hidden}`),
  ),
  malformed(
    ({ requestLine, headers }, hidden) =>
      `${head(requestLine.replace('1.1', '1.0'), ...headers, 'Connection: keep-alive', PLAIN)}0\r\n\r\n${hidden}`,
  ),
  carrier((outer, hidden) => outerHead(outer, `Content-Length: ${hidden.length}`) + hidden),
  // RFC 9110 allows equal lengths, since they have one meaning.
  carrier((outer, hidden) => {
    const length = `Content-Length: ${hidden.length}`;
    return outerHead(outer, length, length) + hidden;
  }),
  carrier((outer, hidden) => {
    const size = hidden.length.toString(16);
    return `${outerHead(outer, PLAIN)}${size}\r\n${hidden}\r\n0\r\n\r\n`;
  }),
  carrier((outer, hidden) => {
    const size = hidden.length.toString(16).padStart(12, '0');
    return `${outerHead(outer, PLAIN)}${size};a=b\r\n${hidden}\r\n0\r\n\r\n`;
  }),
  carrier(
    (outer, hidden) =>
      outerHead(outer, `Content-Length: ${hidden.length}`, 'Expect: 100-continue') + hidden,
  ),
];
