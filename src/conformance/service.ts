import { hasPrefix } from './base-url.ts';
import { check, neverCheckable } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { mediaType } from './headers.ts';

export const SERVICE = [
  check(
    'service.addresses',
    'Production and staging each have an address',
    neverCheckable('This run knows only one address.'),
  ),
  check('service.prefix', 'The base address ends in /v1', async ({ options: { baseUrl } }) => {
    if (!hasPrefix(baseUrl)) throw new CheckFailed('an address that ends in /v1', baseUrl);
  }),
];

/** Checks of every response, so this section comes last. */
export const RESPONSES = [
  check('responses.json', 'Bodies are application/json', async ({ roundTrips }) => {
    // The contract leaves the body of a 429 open, and an empty body has no type.
    const withBody = roundTrips.filter(
      ({ response: { status, text } }) => status !== 429 && text !== '',
    );
    if (withBody.length === 0) throw new NotCheckable('No response has a body.');
    for (const roundTrip of withBody) {
      const type = mediaType(roundTrip.response);
      if (type === 'application/json') continue;
      throw new CheckFailed('Content-Type: application/json', type || 'none', roundTrip);
    }
  }),
];
