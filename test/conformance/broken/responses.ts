import { OPERATION_NAMES } from '#contract/operations.ts';
import { REFUSED_VALUES } from '../../../packages/conformance/src/service.ts';
import { type Fault, KEY, READ_KEY } from '../deployment.ts';
import {
  authorizationOf,
  broken,
  hasStatus,
  isCreatePet,
  isError,
  isFree,
  isGetPet,
  isListPets,
  isSuccess,
  onRequest,
  onResponse,
  problem,
  withField,
  withHeader,
  withKey,
  withStatus,
  withText,
} from '../faults.ts';

/** The checks that fail if createPet accepts no pet. */
const VALID_BODY_CHECKS = [
  'resources.petStatus.values',
  'resources.newPet.categoryId.int64',
  'resources.newPet.status.optional',
  'createPet.created',
];

const EVERY_MISSING_KEY = OPERATION_NAMES.map((name) => `authentication.missing.${name}`);
const EVERY_INVALID_KEY = OPERATION_NAMES.map((name) => `authentication.invalid.${name}`);

const withReadKey = (fault: Fault) => ({ fault, options: { keys: { key: KEY, read: READ_KEY } } });

/** Deployments with a wrong status, error body or header. */
export const RESPONSE_FAULTS = [
  broken(
    'returns 300 except for lists',
    onResponse((response, request) => isSuccess(response) && !isListPets(request), withStatus(300)),
    ...VALID_BODY_CHECKS,
    'getPet.found',
  ),
  broken(
    'returns 500 for an id that is not a number and a body that is not JSON',
    async (request, service) => {
      const text = request.url + (await request.clone().text());
      const response = await service(request);
      return /\/conformance$|,$/.test(text) ? withStatus(500)(response) : response;
    },
    'getPet.petId.integer',
    'createPet.body.json',
  ),
  broken(
    'has a number as the code of errors',
    onResponse(isError, withField('code', 17)),
    'errors.code',
  ),
  broken(
    'omits the message of errors',
    onResponse(isError, withField('message', undefined)),
    'errors.message',
  ),
  broken(
    'has another status in the body of errors',
    onResponse(isError, withField('status', 400)),
    'errors.status',
  ),
  broken(
    'returns text/plain',
    onResponse(isSuccess, withHeader('Content-Type', 'text/plain')),
    'responses.json',
  ),
  broken(
    'announces another day for the removal of getPet',
    onResponse(
      (_, request) => isGetPet(request),
      (response) =>
        withHeader(
          'Deprecation',
          null,
        )(withHeader('Sunset', 'Fri, 06 Dec 2030 12:00:00 GMT')(response)),
    ),
    'versioning.deprecation',
  ),
  broken(
    'has another version and stability marker in its document',
    onResponse(
      (_, { url }) => url.endsWith('/openapi.json'),
      withText((text) => text.replace('1.0.0', '1.1.0').replace('"stable"', '"alpha"')),
    ),
    'versioning.version',
    'versioning.stability',
  ),
  broken(
    'returns 403 instead of 401',
    onResponse(hasStatus(401), withStatus(403)),
    ...EVERY_MISSING_KEY,
    ...EVERY_INVALID_KEY,
    'authentication.scheme',
  ),
  broken(
    'does not say that the key can only read',
    withReadKey(onResponse(hasStatus(403), withHeader('WWW-Authenticate', 'Bearer'))),
    'authentication.readOnly',
  ),
  broken(
    'lets a read-only key add pets',
    withReadKey(
      onRequest(
        (request) => isCreatePet(request) && authorizationOf(request).endsWith(READ_KEY),
        withKey,
      ),
    ),
    'authentication.readOnly',
  ),
  broken(
    'returns 403 for a list without parameters',
    onResponse(
      ({ status }, request) => status === 200 && request.url.endsWith('/pets'),
      problem(403),
    ),
    'listPets.listed',
    'authentication.accepted.listPets',
  ),
  broken(
    'returns 401 for createPet with a valid key',
    onRequest(
      (request) => isCreatePet(request) && !isFree(request),
      (request) => new Request(request.url, { method: 'POST' }),
    ),
    ...REFUSED_VALUES.map(([id]) => `resources.${id}`),
    'createPet.body.required',
    'createPet.body.missingFields',
    'createPet.body.invalidValues',
    ...VALID_BODY_CHECKS,
    'authentication.accepted.createPet',
  ),
  broken(
    'returns 401 for getPet with a valid key',
    onRequest(
      (request) => isGetPet(request) && !isFree(request),
      (request) => new Request(request.url),
    ),
    'getPet.found',
    'getPet.notFound',
    'authentication.accepted.getPet',
  ),
];
