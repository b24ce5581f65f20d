import { parseInt64 } from '../domain/int64.ts';
import type { Answer } from './answer.ts';
import { UnexpectedAnswerError } from './errors.ts';

const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const NEXT = /;\s*rel\s*=\s*(?:next(?![^\s;,])|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i;

/**
 * The `after` of the page that follows the one after `after`, or undefined on the last one. Nothing
 * else is taken from the link, so that the API key goes nowhere else.
 */
export function nextPageOf(answer: Answer, after: bigint | number = -Infinity): bigint | undefined {
  const links = (answer.headers.get('link') ?? '').matchAll(LINK);
  for (const [, target = '', parameters = ''] of links) {
    if (!NEXT.test(parameters)) continue;
    const query = new URLSearchParams(target.replace(/^[^?]*|#.*$/g, ''));
    const next = parseInt64(query.get('after') ?? '');
    // A page that does not lead further would be read for ever.
    if (next !== undefined && next > after) return next;
    throw new UnexpectedAnswerError('listPets', answer, 'links to a next page that is none');
  }
  return undefined;
}
