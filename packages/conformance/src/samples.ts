import {
  type ApiRequest,
  type ApiResponse,
  isInt64,
  isObject,
  isSuccess,
  type Json,
  parseJson,
  retryAfter,
  stringify,
} from './http.ts';
import { expect, need, needStatement, type Session } from './session.ts';
import { type Expectation, fieldOf, status } from './statement.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export const INT64_MAX = 2n ** 63n - 1n;
export const INT64_MIN = -(2n ** 63n);
export const CHOSEN_ID = 1_234_567_890_123_456_789n;

/**
 * The names of all pets that a run adds begin with this text. The pets stay in the store, because the API cannot remove
 * them, and the name says which program added them.
 */
export const NAME = 'conformance-check';

/** A request for each operation. No pet has the id in them, so a service that accepts them changes no existing pet. */
export const REQUESTS = {
  listPets: listPets(),
  createPet: createPet(),
  getPet: getPet(INT64_MAX),
};

export type OperationName = keyof typeof REQUESTS;

export function listPets(query = ''): ApiRequest {
  return { path: `/pets${query}` };
}

/** Makes a createPet request. The changes can make it invalid. A field that is undefined is left out. */
export function createPet(changes: object = {}): ApiRequest {
  return createPetWith(stringify({ name: NAME, categoryId: 1, status: 'available', ...changes }));
}

export function createPetWith(body: string): ApiRequest {
  return { method: 'POST', path: '/pets', body };
}

export function getPet(id: bigint | string): ApiRequest {
  return { path: `/pets/${id}` };
}

/** The fields of the pets that a run adds and then looks for. Each pet also gets a name. */
const SAMPLES = {
  available: {},
  pending: { status: 'pending' },
  sold: { status: 'sold' },
  'also pending': { status: 'pending' },
  'without a status': { status: undefined },
  'largest int64': { categoryId: INT64_MAX },
  'smallest int64': { categoryId: INT64_MIN },
  // The smallest positive integer that a double cannot represent.
  'above 2^53': { categoryId: 2n ** 53n + 1n },
  'Zoë 🐈': {},
  'with an id': { id: CHOSEN_ID },
} as const;

type SampleLabel = keyof typeof SAMPLES;

/** Makes the request that adds a sample. The service may refuse some of the samples. */
export function sample(label: SampleLabel): ApiRequest {
  return createPet({ name: `${NAME} ${label}`, ...SAMPLES[label] });
}

/** Returns the createPet responses that contain an id. Samples that the service refused are left out. */
export async function samplesWithId(session: Session): Promise<ApiResponse[]> {
  const labels = Object.keys(SAMPLES) as SampleLabel[];
  const responses = await session.sendAll(labels.map(sample));
  return responses.filter(({ json }) => idOf(json) !== undefined);
}

function requireId({ json }: ApiResponse): bigint {
  const id = idOf(json);
  needStatement(id !== undefined, 'createPet.pet');
  return id;
}

/**
 * If createPet does not work, marks the current statement as not checkable. Use this function in statements that are
 * not about createPet.
 */
export function requireCreated(response: ApiResponse): void {
  const isMet = isSuccess(response) && isObject(response.json);
  needStatement(isMet, 'createPet.created');
}

/** Expects createPet to return a field with the value that was sent. */
export function keeps(name: string): Expectation {
  return (added) => {
    requireCreated(added);
    expectFields(added, added, name);
  };
}

/** Expects `find` to return a response whose JSON is the pet, with the same fields that were sent. */
export function isUnchanged(
  find: (added: ApiResponse, session: Session) => Promise<ApiResponse>,
): Expectation {
  return async (added, session) =>
    expectFields(added, await find(added, session), ...Object.keys(PET_FIELDS));
}

function expectFields(added: ApiResponse, shownBy: ApiResponse, ...names: string[]): void {
  const fields = { ...Object(parseJson(added.request.body ?? '')), id: idOf(added.json) };
  for (const name of names) {
    const got = fieldOf(shownBy.json, name);
    const isMet = fields[name] === undefined || fields[name] === got;
    expect(isMet, `${name}: ${stringify(fields[name])}`, stringify(got), shownBy);
  }
}

export function idOf(pet: Json | undefined): bigint | undefined {
  const id = fieldOf(pet, 'id');
  return isInt64(id) ? id : undefined;
}

/** Every field of a pet, with a function that says if a value is valid for the field. */
export const PET_FIELDS = {
  id: isInt64,
  name: (value) => typeof value === 'string',
  categoryId: isInt64,
  status: (value) => value === undefined || PET_STATUSES.some((one) => one === value),
} satisfies Record<string, (value: Json | undefined) => boolean>;

export function isPet(json: Json | undefined): boolean {
  return Object.entries(PET_FIELDS).every(([name, isValid]) => isValid(fieldOf(json, name)));
}

export const GET_PET_REMOVED_AT_MS = Date.UTC(2030, 11, 5);

/**
 * Marks the current statement as not checkable if the response shows nothing about it, because getPet is removed, or
 * because getPet is in a brownout, in which it returns 410 and Retry-After says when getPet works again.
 */
export function requireGetPet(response: ApiResponse, session: Session): void {
  if (!response.request.path.startsWith('/pets/')) return;
  need(session.timeMs() < GET_PET_REMOVED_AT_MS, 'getPet was removed on 5 December 2030.');
  const seconds = retryAfter(response);
  const isServed = response.status !== 410 || seconds === undefined;
  need(isServed, `getPet is in a brownout, which ends in ${seconds} s.`);
}

export async function findById(added: ApiResponse, session: Session): Promise<ApiResponse> {
  const response = await session.send(getPet(requireId(added)));
  requireGetPet(response, session);
  status(200)(response);
  return response;
}

/** Gets an existing pet, for statements that are not about createPet. */
export async function getAnyPet(session: Session): Promise<ApiResponse> {
  return session.send(getPet(requireId(await session.send(sample('available')))));
}

export const MAX_LIMIT = 100;

/** Requests the largest page of a list. */
export function largestPage(session: Session, filter = ''): Promise<ApiResponse> {
  return session.send(listPets(`?limit=${MAX_LIMIT}${filter}`));
}

/** Returns the pets on a page. If the response is not a list, the current statement is not checkable. */
export function petsOn(page: ApiResponse): readonly Json[] {
  const isList = isSuccess(page) && Array.isArray(page.json);
  needStatement(isList, 'listPets.array');
  return page.json;
}

/** Adds pets until the deployment has at least `count` pets, and no more than that. */
export async function requirePets(session: Session, count: number): Promise<void> {
  const missing = count - petsOn(await largestPage(session)).length;
  for (let i = 1; i <= missing; i++) {
    requireCreated(await session.send(createPet({ name: `${NAME} ${i} of ${missing}` })));
  }
}

/** Finds a sample on the first page of a list or, if the list is longer, on the page that starts with the sample. */
export async function findInList(
  added: ApiResponse,
  session: Session,
  filter = '',
): Promise<ApiResponse> {
  const id = requireId(added);
  let page = await largestPage(session, filter);
  const findOnPage = () => petsOn(page).find((pet) => idOf(pet) === id);
  if (findOnPage() === undefined) page = await largestPage(session, `${filter}&after=${id - 1n}`);
  const json = findOnPage();
  const others = petsOn(page);
  // The contract does not name the parameter `after`. A service that ignores `after` returns the first page again.
  const isElsewhere = others.length === MAX_LIMIT && (idOf(others[0]) ?? id) < id;
  need(
    json !== undefined || !isElsewhere,
    'The list has more than one page, and this check cannot find the page that contains the pet.',
  );
  expect(json !== undefined, `the pet ${id}`, `${others.length} other pets`, page);
  return { ...page, json };
}

/** Returns the request for the next page, or undefined if the response links none. */
export function nextLink(session: Session, page: ApiResponse): ApiRequest | undefined {
  const [, link] = /<([^>]*)>[^<]*\brel="?next\b/i.exec(page.headers.get('link') ?? '') ?? [];
  if (link === undefined) return undefined;
  const { baseUrl } = session.options;
  const url = URL.parse(link, `${baseUrl}${page.request.path}`)?.href ?? link;
  const isSameService = url.startsWith(`${baseUrl}/`);
  need(
    isSameService,
    `The next page is at another address (${session.show(url)}), and this check does not send the key there.`,
  );
  return { path: url.slice(baseUrl.length) };
}
