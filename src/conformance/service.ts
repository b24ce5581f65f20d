import { hasPrefix } from './base-url.ts';
import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { isStaging, mediaType } from './headers.ts';

export const SERVICE = [
  check(
    'service.addresses',
    'Production and staging each have an address that ends in /v1',
    async (session) => {
      const { baseUrl, otherUrl } = session.options;
      if (otherUrl === undefined) {
        throw new NotCheckable('This run knows only one address: pass the other with --other.');
      }
      if (otherUrl === baseUrl) throw new CheckFailed('two addresses', `${baseUrl} twice`);
      if (!hasPrefix(otherUrl)) throw new CheckFailed('an address that ends in /v1', otherUrl);
      const response = await session.getWithoutKey(`${otherUrl}/pets`);
      if (response.status !== 401) {
        const expected = `status 401 without a key at ${otherUrl}/pets`;
        throw new CheckFailed(expected, `${response.status}`);
      }
      if (session.hasClocks && isStaging(response)) {
        throw new CheckFailed(`production at ${otherUrl}`, 'X-Environment: staging');
      }
    },
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
