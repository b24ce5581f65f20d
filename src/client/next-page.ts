import { parseInt64 } from '../domain/int64.ts';
import type { Answer } from './answer.ts';

const LINK = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const NEXT = /;\s*rel\s*=\s*(?:next(?![^\s;,])|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i;

/**
 * The `after` of the page that follows the one after `after`; undefined on the last one, and
 * `unknown` when the link says it otherwise. Nothing else is taken from the link, so that the API
 * key goes nowhere else.
 */
export function nextPageOf(
  answer: Answer,
  after: bigint | number = -Infinity,
): bigint | 'unknown' | undefined {
  const links = (answer.headers.get('link') ?? '').matchAll(LINK);
  for (const [, target = '', parameters = ''] of links) {
    if (!NEXT.test(parameters)) continue;
    const query = new URLSearchParams(target.replace(/^[^?]*|#.*$/g, ''));
    const next = parseInt64(query.get('after') ?? '');
    // A page that does not lead further would be read for ever.
    return next !== undefined && next > after ? next : 'unknown';
  }
  return undefined;
}
