import { parseInt64 } from './int64.ts';
import type { ReceivedResponse } from './response.ts';

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const NEXT = /;\s*rel\s*=\s*(?:next(?![^\s;,])|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i;

/**
 * The `after` parameter of the next page: undefined on the last page, `unknown` if the link has no
 * usable one. The rest of the link is ignored, so that the API key stays at the base address.
 */
export function nextPageOf(
  response: ReceivedResponse,
  after: bigint | number = -Infinity,
): bigint | 'unknown' | undefined {
  const links = (response.headers.get('link') ?? '').matchAll(LINK);
  for (const [, target = '', parameters = ''] of links) {
    if (!NEXT.test(parameters)) continue;
    const query = new URLSearchParams(target.replace(/^[^?]*|#.*$/g, ''));
    const next = parseInt64(query.get('after') ?? '');
    // A link that does not advance would loop forever.
    return next !== undefined && next > after ? next : 'unknown';
  }
  return undefined;
}
