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
export function prefersGzip(acceptEncoding: string | null): boolean {
  const weights = weightsOf(acceptEncoding);
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** True for a browser, which asks for HTML by name. Any other client gets JSON. */
export function prefersHtml(accept: string | null): boolean {
  const weights = weightsOf(accept);
  return (weights.get('text/html') ?? 0) > (weights.get('application/json') ?? 0);
}
