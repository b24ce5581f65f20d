import { hasPrefix } from './base-url.ts';
import { neverCheckable, type Section } from './check.ts';
import { mediaType } from './headers.ts';
import { Failed, NotCheckable } from './verdict.ts';

export const SERVICE: Section = {
  title: 'The service',
  checks: [
    {
      id: 'service.addresses',
      sentence: 'There is an address for production, and one for staging',
      check: neverCheckable('Only the address that was given can be asked.'),
    },
    {
      id: 'service.prefix',
      sentence: 'The base address ends in /v1',
      async check({ options: { baseUrl } }) {
        if (!hasPrefix(baseUrl)) throw new Failed('an address that ends in /v1', baseUrl);
      },
    },
  ],
};

/** About everything that was answered, so it comes last. */
export const ANSWERS: Section = {
  title: 'All answers',
  checks: [
    {
      id: 'answers.json',
      sentence: 'Bodies are application/json',
      async check({ exchanges }) {
        // The body of a 429 is left open, and an empty one has no type.
        const withBody = exchanges.filter(
          ({ answer: { status, text } }) => status !== 429 && text !== '',
        );
        if (withBody.length === 0) throw new NotCheckable('No answer has a body.');
        for (const exchange of withBody) {
          const came = mediaType(exchange.answer);
          if (came === 'application/json') continue;
          throw new Failed('Content-Type: application/json', came || 'none', exchange);
        }
      },
    },
  ],
};
