import { type ApiResponse, type Credential, isClientError, isInt64, isSuccess } from './http.ts';
import {
  CHOSEN_ID,
  createPet,
  GET_PET_REMOVED_AT_MS,
  getAnyPet,
  INT64_MAX,
  INT64_MIN,
  idOf,
  isPet,
  keeps,
  largestPage,
  listPets,
  PET_FIELDS,
  PET_STATUSES,
  petsOn,
  REQUESTS,
  requireCreated,
  requireGetPet,
  sample,
  samplesWithId,
} from './samples.ts';
import { expect, isStaging, need, needStatement, type Session } from './session.ts';
import {
  body,
  type Expectation,
  field,
  fieldOf,
  header,
  responses,
  section,
  statement,
  success,
} from './statement.ts';

type RefusedValues = readonly [id: string, field: string, subject: string, ...values: unknown[]];

/**
 * Values that createPet must refuse, for every field that callers send. Undefined stands for a
 * missing field.
 */
export const REFUSED_VALUES: readonly RefusedValues[] = [
  ['petStatus.others', 'status', 'Any other status', 'lost'],
  ['newPet.name.required', 'name', 'A missing name', undefined],
  ['newPet.name.string', 'name', 'A name that is not a string', 7, null],
  ['newPet.categoryId.required', 'categoryId', 'A missing categoryId', undefined],
  [
    'newPet.categoryId.integer',
    'categoryId',
    'A categoryId that is not an integer',
    '1',
    1.5,
    null,
  ],
  [
    'newPet.categoryId.range',
    'categoryId',
    'A categoryId outside int64',
    INT64_MAX + 1n,
    INT64_MIN - 1n,
  ],
];

/** Statements about the service and the pets that it stores. */
export const RESOURCES = [
  ...section('service', 'The service', [
    statement(
      'addresses',
      'Production and staging each have an address that ends in /v1',
      otherAddress,
      401,
      (response, { hasClocks }) =>
        expect(!hasClocks || !isStaging(response), 'production', 'staging', response),
    ),
    statement(
      'prefix',
      'The base address ends in /v1',
      ({ options }) => [options.baseUrl],
      hasPrefix,
    ),
  ]),
  ...section('resources', 'Resources', [
    statement(
      'petStatus.values',
      'A pet can be available, pending or sold',
      PET_STATUSES.map(sample),
      success,
    ),
    ...REFUSED_VALUES.map(([id, field, subject, ...values]) => {
      const requests = values.map((value) => createPet({ [field]: value }));
      return statement(id, `${subject} returns 400`, requests, 400);
    }),
    statement(
      'newPet.categoryId.int64',
      'A categoryId can be any int64 and keeps every digit',
      [sample('largest int64'), sample('smallest int64'), sample('above 2^53')],
      success,
      keeps('categoryId'),
    ),
    statement(
      'newPet.status.optional',
      'status is optional; without it, the pet has none or one of the three',
      sample('without a status'),
      success,
      field('status', 'none, or one of the three', PET_FIELDS.status),
    ),
    ...['name', 'categoryId'].map((field) =>
      statement(`pet.${field}`, `A pet keeps its ${field}`, sample('available'), keeps(field)),
    ),
    statement(
      'pet.name.unicode',
      'A name keeps characters beyond ASCII',
      sample('Zoë 🐈'),
      keeps('name'),
    ),
    statement(
      'pet.id',
      'A pet has an int64 id',
      sample('available'),
      requireCreated,
      field('id', 'an int64', isInt64),
    ),
    statement(
      'pet.id.assigned',
      'The service assigns the id, not the caller',
      sample('with an id'),
      requireCreated,
      field('id', 'one that the service assigned', (id) => id !== CHOSEN_ID),
    ),
    statement(
      'pet.id.unique',
      'Every pet has a different id',
      async (session) => [await samplesWithId(session)],
      (samples) => {
        const ids = samples.map(({ json }) => idOf(json));
        needStatement(ids.length > 1, 'createPet.pet');
        const areDifferent = new Set(ids).size === ids.length;
        expect(areDifferent, 'different ids', ids.join(', '), samples.at(-1));
      },
    ),
    statement(
      'pets',
      'A list contains complete pets',
      async (session) => {
        const page = await largestPage(session);
        return petsOn(page).map((json) => ({ ...page, json }));
      },
      body('complete pets', isPet),
    ),
  ]),
  ...section('states', 'States', [
    statement(
      'supplied',
      'A pet has the status that the request gave it',
      PET_STATUSES.map(sample),
      keeps('status'),
    ),
  ]),
];

async function otherAddress(session: Session) {
  const { baseUrl, otherUrl } = session.options;
  need(
    otherUrl !== undefined,
    'This run knows only one address. Pass the other address with --other.',
  );
  expect(otherUrl !== baseUrl, 'two addresses', `${baseUrl} twice`);
  hasPrefix(otherUrl, session);
  const path = `${otherUrl}/pets`;
  return session.sendNow({ path, credential: 'none' });
}

function hasPrefix(url: string, { options }: Session): void {
  const isMet = new URL(url).pathname.endsWith('/v1');
  need(isMet || !options.mayLackPrefix, 'With --exact-url, the address need not end in /v1.');
  expect(isMet, 'an address that ends in /v1', url);
}

/** Statements about keys and versions. */
export const ACCESS = [
  ...section('authentication', 'Authentication', [
    ...forEachOperation('accepted', 'accepts an API key as a bearer token', 'key', isAccepted),
    ...forEachOperation('missing', 'without a key returns 401', 'none', 401),
    ...forEachOperation('invalid', 'with an invalid key returns 401', 'wrong', 401),
    statement(
      'scheme',
      'A key that is not a bearer token returns 401',
      { ...listPets(), credential: 'bare' },
      401,
    ),
    statement(
      'readOnly',
      'Every write with a read-only key returns 403',
      (session) => {
        session.requireKey('read');
        const writes = Object.values(REQUESTS).filter((request) => 'method' in request);
        return session.sendAll(writes.map((write) => ({ ...write, credential: 'read' })));
      },
      403,
      header(
        'WWW-Authenticate',
        'a Bearer challenge with insufficient_scope',
        /^Bearer .*error="insufficient_scope"/i,
      ),
    ),
  ]),
  ...section('versioning', 'Versioning', [
    statement(
      'version',
      'The API version is 1.0.0',
      openApi,
      field('info', 'version 1.0.0', (info) => fieldOf(info, 'version') === '1.0.0'),
    ),
    statement(
      'deprecation',
      'getPet is deprecated, with removal on 5 December 2030',
      getAnyPet,
      requireGetPet,
      ({ headers }) =>
        need(
          headers.has('deprecation') || headers.has('sunset'),
          'No header announces the removal. Such a header is optional.',
        ),
      header('Sunset', 'a time on 5 December 2030', (value) => {
        const hours = (Date.parse(value) - GET_PET_REMOVED_AT_MS) / 3_600_000;
        // The contract names no time zone. In the earliest time zone, the day starts 14 hours before it starts in UTC.
        return hours >= -14 && hours < 36;
      }),
    ),
    statement(
      'stability',
      'An operation that is not stable is marked experimental or beta',
      openApi,
      (document) => {
        const [other] =
          /"x-stability":(?!\s*"(stable|beta|experimental)")[^,}]*/.exec(document.text) ?? [];
        expect(other === undefined, 'stable, beta or experimental', `${other}`, document);
      },
    ),
  ]),
];

/** These statements must be checked last, when all responses have arrived. */
export const ALL_RESPONSES = section('responses', 'All responses', [
  statement(
    'json',
    'Bodies are application/json',
    // The contract says nothing about the body of a 429, and an empty body needs no Content-Type.
    responses(({ status, text }) => status !== 429 && text !== ''),
    header('Content-Type', 'application/json', /^application\/json\b/i),
  ),
]);

function forEachOperation(
  name: string,
  rule: string,
  credential: Credential,
  expectation: number | Expectation,
) {
  return Object.entries(REQUESTS).map(([operation, request]) =>
    statement(
      `${name}.${operation}`,
      `${operation} ${rule}`,
      { ...request, credential },
      requireGetPet,
      expectation,
    ),
  );
}

/** Expects that the key was accepted. Another 4xx status also shows that, because the key is checked first. */
function isAccepted(response: ApiResponse): void {
  const { status: code } = response;
  expect(code !== 401 && code !== 403, 'not 401 or 403', `${code}`, response);
  const isShown = isSuccess(response) || isClientError(response);
  need(
    isShown,
    `The response has the status ${code}, which does not show if the key was accepted.`,
  );
}

/** Requests the OpenAPI document of the deployment. The contract does not require such a document. */
async function openApi(session: Session): Promise<ApiResponse> {
  const path = `${session.options.baseUrl.replace(/\/v1$/, '')}/openapi.json`;
  const document = await session.send({ path, credential: 'none' });
  const isOpenApi = fieldOf(document.json, 'openapi') !== undefined;
  need(isOpenApi, 'The deployment has no OpenAPI document, which is optional.');
  return document;
}
