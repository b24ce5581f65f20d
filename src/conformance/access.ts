import { type ApiResponse, type Credential, createPet, listPets } from './http.ts';
import { anyId, callGetPet, REMOVAL_MS } from './samples.ts';
import { expect, need, type Session } from './session.ts';
import {
  type Expectation,
  field,
  fieldOf,
  header,
  responses,
  type Section,
  type Statement,
  statement,
  status,
} from './statement.ts';

const CALLS: Readonly<
  Record<string, (session: Session, credential: Credential) => Promise<ApiResponse>>
> = {
  listPets: (session, credential) => session.send({ ...listPets(), credential }),
  createPet: (session, credential) => session.send({ ...createPet(), credential }),
  getPet: async (session, credential) => callGetPet(session, await anyId(session), credential),
};

/** Keys and versions. */
export const ACCESS: readonly Section[] = [
  {
    title: 'Authentication',
    statements: [
      ...forEachOperation('accepted', 'accepts an API key as a bearer token', 'key', isAccepted),
      ...forEachOperation('missing', 'without a key returns 401', 'none', status(401)),
      ...forEachOperation('invalid', 'with an invalid key returns 401', 'wrong', status(401)),
      statement(
        'authentication.scheme',
        'A key that is not a bearer token returns 401',
        { ...listPets(), credential: 'bare' },
        401,
      ),
    ],
  },
  {
    title: 'Versioning',
    statements: [
      statement(
        'versioning.version',
        'The API version is 1.0.0',
        openApi,
        field('info', 'version 1.0.0', (info) => fieldOf(info, 'version') === '1.0.0'),
      ),
      statement(
        'versioning.deprecation',
        'getPet is deprecated, with removal on 5 December 2030',
        async (session) => callGetPet(session, await anyId(session)),
        ({ headers }) =>
          need(
            headers.has('deprecation') || headers.has('sunset'),
            'No header announces it, and the contract does not require one.',
          ),
        header('Sunset', 'a time on 5 December 2030', (value) => {
          const hours = (Date.parse(value) - REMOVAL_MS) / 3_600_000;
          // The contract names no time zone. The earliest one starts the day 14 hours before UTC.
          return hours >= -14 && hours < 36;
        }),
      ),
      statement(
        'versioning.stability',
        'An operation that is not stable is marked experimental or beta',
        openApi,
        (document) => {
          const [other] =
            /"x-stability":(?!\s*"(stable|beta|experimental)")[^,}]*/.exec(document.text) ?? [];
          expect(other === undefined, 'stable, beta or experimental', `${other}`, document);
        },
      ),
    ],
  },
];

/** Comes last, when all responses have arrived. */
export const ALL_RESPONSES: Section = {
  title: 'All responses',
  statements: [
    statement(
      'responses.json',
      'Bodies are application/json',
      // The contract leaves the body of a 429 open, and an empty body has no type.
      responses(({ status, text }) => status !== 429 && text !== ''),
      header('Content-Type', 'application/json', (value) => /^application\/json\b/i.test(value)),
    ),
  ],
};

function forEachOperation(
  name: string,
  rule: string,
  credential: Credential,
  expectation: Expectation,
): Statement[] {
  return Object.entries(CALLS).map(([operation, call]) =>
    statement(
      `authentication.${name}.${operation}`,
      `${operation} ${rule}`,
      (session) => call(session, credential),
      expectation,
    ),
  );
}

/** Errors of the caller show it too. */
function isAccepted(response: ApiResponse): void {
  const { status: code } = response;
  expect(code !== 401 && code !== 403, 'not 401 or 403', `${code}`, response);
  const isShown = code < 300 || (code >= 400 && code < 500);
  need(isShown, `The response is ${code}, which shows nothing about the key.`);
}

/** The OpenAPI document of the deployment. The contract does not require one. */
async function openApi(session: Session): Promise<ApiResponse> {
  const path = `${session.options.baseUrl.replace(/\/v1$/, '')}/openapi.json`;
  const document = await session.send({ path, credential: 'none' });
  const isOpenApi = fieldOf(document.json, 'openapi') !== undefined;
  need(isOpenApi, 'The deployment has no OpenAPI document, and need not have one.');
  return document;
}
