/** The reading of some bytes by a parser that accepts only the framing that RFC 9112 allows. */
export interface StrictReading {
  /** How many whole requests the bytes begin with. */
  readonly requests: number;
  /** True if there is a request and nothing follows the last one. */
  readonly isWhole: boolean;
  /** How many requests a server may serve: one more if only a body is malformed or incomplete. */
  readonly servable: number;
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ [\x21-\xff]+ HTTP\/1\.([01])$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*((?:[\t\x20-\xff]*[\x21-\xff])?)[ \t]*$/;
const CHUNK_SIZE = /^([\da-f]{1,16})(?:;[\t\x20-\xff]*)?$/i;

interface Head {
  readonly isHttp10: boolean;
  readonly headers: ReadonlyMap<string, readonly string[]>;
}

/** Reads bytes, one to each character, as a strict server would. */
export function readStrictly(bytes: string): StrictReading {
  let requests = 0;
  for (let at = 0; at < bytes.length; requests++) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    const head = headEnd === -1 ? undefined : readHead(bytes.slice(at, headEnd));
    if (head === undefined) return { requests, isWhole: false, servable: requests };
    const bodyEnd = readBody(bytes, headEnd + 4, head);
    if (bodyEnd === 'ambiguous') return { requests, isWhole: false, servable: requests };
    if (bodyEnd === 'broken') return { requests, isWhole: false, servable: requests + 1 };
    // The service closes the connection after this one, and reads no further.
    if (isLast(head)) return { requests: requests + 1, isWhole: true, servable: requests + 1 };
    at = bodyEnd;
  }
  return { requests, isWhole: requests > 0, servable: requests };
}

function readHead(text: string): Head | undefined {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const version = REQUEST_LINE.exec(requestLine)?.[1];
  if (version === undefined) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) return undefined;
    const values = headers.get(name.toLowerCase()) ?? [];
    headers.set(name.toLowerCase(), [...values, value]);
  }
  return { isHttp10: version === '0', headers };
}

/** The elements of lists. RFC 9110 tells recipients to ignore empty ones. */
function elements(lists: readonly string[] = []): readonly string[] {
  const each = lists.flatMap((list) => list.toLowerCase().split(','));
  // Not trim(), which would also remove other white space.
  return each
    .map((element) => element.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((name) => name !== '');
}

function isLast({ isHttp10, headers }: Head): boolean {
  return isHttp10 || elements(headers.get('connection')).includes('close');
}

/** Where the body ends, or why that is unknown. */
function readBody(
  bytes: string,
  start: number,
  { isHttp10, headers }: Head,
): number | 'ambiguous' | 'broken' {
  const lengths = headers.get('content-length');
  const codings = headers.get('transfer-encoding');
  if (codings !== undefined) {
    const named = elements(codings);
    const isChunked = named.length === 1 && named[0] === 'chunked';
    if (!isChunked || lengths !== undefined || isHttp10) return 'ambiguous';
    return readChunks(bytes, start);
  }
  if (lengths === undefined) return start;
  if (new Set(lengths).size > 1 || !/^\d{1,15}$/.test(lengths[0] ?? '')) return 'ambiguous';
  const end = start + Number(lengths[0]);
  return end > bytes.length ? 'broken' : end;
}

function readChunks(bytes: string, start: number): number | 'broken' {
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const digits = lineEnd === -1 ? undefined : CHUNK_SIZE.exec(bytes.slice(at, lineEnd))?.[1];
    if (digits === undefined) return 'broken';
    const size = Number.parseInt(digits, 16);
    at = lineEnd + 2;
    if (size === 0) return readTrailers(bytes, at);
    if (!bytes.startsWith('\r\n', at + size)) return 'broken';
    at += size + 2;
  }
}

function readTrailers(bytes: string, start: number): number | 'broken' {
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === at) return lineEnd + 2;
    if (lineEnd === -1 || !HEADER.test(bytes.slice(at, lineEnd))) return 'broken';
    at = lineEnd + 2;
  }
}
