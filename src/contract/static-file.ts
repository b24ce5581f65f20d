export interface StaticResponse {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The forms of a file that a reader can get, prepared once. */
export interface StaticFile {
  readonly plain: StaticResponse;
  readonly compressed: StaticResponse;
  readonly unchanged?: StaticResponse;
}

export function staticFile(
  type: string,
  body: string,
  further: Readonly<Record<string, string>> = {},
): StaticFile {
  const kept = {
    'Cache-Control': 'no-cache',
    // Weak, because all variants share it.
    ETag: `W/"${Bun.hash(body).toString(36)}"`,
    Vary: 'Accept-Encoding',
    ...further,
  };
  const contentType = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  const headers = { ...kept, 'Content-Type': contentType };
  return {
    plain: { status: 200, body, headers },
    // Brotli saves a fifth more, but takes 0.4 seconds for the OpenAPI document instead of 2 ms.
    compressed: {
      status: 200,
      body: Bun.gzipSync(body, { level: 9 }),
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    },
    unchanged: { status: 304, body: null, headers: kept },
  };
}

/** 304 when the reader already has the file, 412 when it asks for another version. */
export function readStaticFile(file: StaticFile, headers: Headers): StaticResponse {
  const { plain, compressed, unchanged } = file;
  const ifMatch = headers.get('if-match');
  // That comparison is strong (RFC 9110), so a weak tag never matches, and `*` always does.
  if (unchanged && ifMatch !== null && ifMatch.trim() !== '*') return { ...unchanged, status: 412 };
  const tag = unchanged?.headers['ETag'] ?? '';
  if (unchanged && isKnown(headers.get('if-none-match'), tag)) return unchanged;
  return prefersGzip(headers.get('accept-encoding')) ? compressed : plain;
}

const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * True if the reader has the version with this tag (RFC 9110). The comparison is weak: a proxy that
 * compresses a page makes its tag weak.
 */
function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).includes(opaqueTags(tag)[0] ?? '');
}

function opaqueTags(text: string): string[] {
  return Array.from(text.matchAll(TAG), ([, opaque = '']) => opaque);
}

const WEIGHT = /^q\s*=\s*([01](?:\.\d{0,3})?)$/i;

/** Browsers send up to 200 characters. To read 16 kB takes 8 ms, and anybody can send them. */
const MAX_LENGTH = 1_000;

/** What a reader accepts, with its weight (RFC 9110). An invalid weight excludes its entry. */
function weightsOf(accept: string | null): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  if (accept !== null && accept.length > MAX_LENGTH) return weights;
  for (const entry of accept?.split(',') ?? []) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter)) ?? 'q=1';
    const [, value] = WEIGHT.exec(weight) ?? [];
    if (value !== undefined) weights.set(name.toLowerCase(), Number(value));
  }
  return weights;
}

/** True if the reader accepts gzip, and does not prefer an uncompressed page. */
function prefersGzip(acceptEncoding: string | null): boolean {
  const weights = weightsOf(acceptEncoding);
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** True for a browser, which asks for HTML by name. Any other client gets JSON. */
export function prefersHtml(accept: string | null): boolean {
  const weights = weightsOf(accept);
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0);
}
