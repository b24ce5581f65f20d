const CODING = /^([^\s;]+)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?$/i;

/** True if the reader accepts gzip, and does not prefer an uncompressed page (RFC 9110). */
export function prefersGzip(acceptEncoding: string | null): boolean {
  const weights = new Map<string, number>();
  for (const entry of acceptEncoding?.split(',') ?? []) {
    const [, coding, weight = '1'] = CODING.exec(entry.trim()) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
