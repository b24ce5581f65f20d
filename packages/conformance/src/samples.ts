import {
  type ApiRequest,
  type ApiResponse,
  type Credential,
  isInt64,
  isObject,
  isSuccess,
  type Json,
  parseJson,
  retryAfter,
  stringify,
} from './http.ts';
import { expect, need, needStatement, type Session } from './session.ts';
import { type Expectation, fieldOf, sent, status } from './statement.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export const INT64_MAX = 2n ** 63n - 1n;
export const INT64_MIN = -(2n ** 63n);
export const CHOSEN_ID = 1_234_567_890_123_456_789n;

/** The pets of a run stay in the store, because the API cannot remove them. Their names say who added them. */
export const NAME = 'conformance-check';

/** A valid request of each operation, about the pet with the given id if the operation needs one. */
export const REQUESTS = {
  listPets: () => listPets(),
  createPet: () => createPet(),
  getPet,
} satisfies Record<string, (id: bigint) => ApiRequest>;

/** No pet has this id, so a service that accepts one of these requests changes no pet. */
export const HARMLESS_REQUESTS = Object.values(REQUESTS).map((request) => request(INT64_MAX));

export type OperationName = keyof typeof REQUESTS;

export function listPets(query = ''): ApiRequest {
  return { path: `/pets${query}` };
}

/** A createPet request. It is valid unless a change makes it invalid; undefined removes a field. */
export function createPet(changes: object = {}): ApiRequest {
  return createPetWith(stringify({ name: NAME, categoryId: 1, status: 'available', ...changes }));
}

export function createPetWith(body: string): ApiRequest {
  return { method: 'POST', path: '/pets', body };
}

export function getPet(id: bigint | string): ApiRequest {
  return { path: `/pets/${id}` };
}

/** Fields of the pets that a run adds and finds again. Each also gets a name. */
const SAMPLES = {
  available: { status: 'available' },
  pending: { status: 'pending' },
  sold: { status: 'sold' },
  'also pending': { status: 'pending' },
  'without a status': { status: undefined },
  'largest int64': { categoryId: INT64_MAX },
  'smallest int64': { categoryId: INT64_MIN },
  // The smallest integer that a double cannot hold.
  'above 2^53': { categoryId: 2n ** 53n + 1n },
  'Zoë 🐈': {},
  'with an id': { id: CHOSEN_ID },
} as const;

type SampleLabel = keyof typeof SAMPLES;

/** The request that adds a sample. The service may refuse it. */
export function sample(label: SampleLabel): ApiRequest {
  return createPet({ name: `${NAME} ${label}`, ...SAMPLES[label] });
}

/** The responses of createPet to the samples that it has accepted and shown with an id. */
export async function samplesWithId(session: Session): Promise<ApiResponse[]> {
  const labels = Object.keys(SAMPLES) as SampleLabel[];
  const responses = await sent(labels.map(sample))(session);
  return responses.filter(({ json }) => idOf(json) !== undefined);
}

/** Returns the id of some pet, for a statement that is not about creating it. */
export async function anyId(session: Session): Promise<bigint> {
  return requireId(await session.send(sample('available')));
}

function requireId({ json }: ApiResponse): bigint {
  const id = idOf(json);
  needStatement(id !== undefined, 'createPet.pet');
  return id;
}

/** Makes a statement that is not about createPet uncheckable if createPet does not work. */
export function isReturned(response: ApiResponse): void {
  const isMet = isSuccess(response) && isObject(response.json);
  needStatement(isMet, 'createPet.created');
}

/** Expects createPet to return a field as it was sent. */
export function keeps(name: string): Expectation {
  return (added) => {
    isReturned(added);
    expectFields(added, added, name);
  };
}

/** Expects a later response, with the pet as its JSON, to show a sample as it was sent. */
export function isUnchanged(
  find: (session: Session, added: ApiResponse) => Promise<ApiResponse>,
): Expectation {
  return async (added, session) =>
    expectFields(added, await find(session, added), ...Object.keys(PET_FIELDS));
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

export function isOptionalStatus(value: Json | undefined): boolean {
  return value === undefined || PET_STATUSES.some((one) => one === value);
}

/** Every field of a pet, with the values that it can have. */
export const PET_FIELDS: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  id: isInt64,
  name: (value) => typeof value === 'string',
  categoryId: isInt64,
  status: isOptionalStatus,
};

export function isPet(json: Json | undefined): boolean {
  return Object.entries(PET_FIELDS).every(([name, isValid]) => isValid(fieldOf(json, name)));
}

export const REMOVAL_MS = Date.UTC(2030, 11, 5);

/** Calls getPet, unless the service does not have it at this time. */
export async function callGetPet(
  session: Session,
  id: bigint | string,
  credential: Credential = 'key',
): Promise<ApiResponse> {
  requireNotRemoved(session);
  return requireNoBrownout(await session.send({ ...getPet(id), credential }));
}

/** After its removal date, a missing getPet is not a failure. */
export function requireNotRemoved(session: Session): void {
  need(session.timeMs() < REMOVAL_MS, 'getPet was removed on 5 December 2030.');
}

/** In a brownout, getPet returns 410 with the time until it works again. */
export function requireNoBrownout(response: ApiResponse): ApiResponse {
  const seconds = retryAfter(response);
  const isServed = response.status !== 410 || seconds === undefined;
  need(isServed, `getPet is in a brownout for ${seconds} s.`);
  return response;
}

export async function findById(session: Session, added: ApiResponse): Promise<ApiResponse> {
  const response = await callGetPet(session, requireId(added));
  await status(200)(response, session);
  return response;
}

export const MAX_LIMIT = 100;

/** The largest page, which most statements on lists need. */
export function largestPage(session: Session, filter = ''): Promise<ApiResponse> {
  return session.send(listPets(`?limit=${MAX_LIMIT}${filter}`));
}

/** The pets of a list, for a check that is not about the list's shape. */
export function petsOn(page: ApiResponse): readonly Json[] {
  const isList = isSuccess(page) && Array.isArray(page.json);
  needStatement(isList, 'listPets.array');
  return page.json;
}

/** Adds as few pets as it takes for the deployment to have `count`. */
export async function requirePets(session: Session, count: number): Promise<void> {
  const missing = count - petsOn(await largestPage(session)).length;
  for (let i = 1; i <= missing; i++) {
    isReturned(await session.send(createPet({ name: `${NAME} ${i} of ${missing}` })));
  }
}

/** Finds a sample on the first page of a list or, in a longer list, on the page that starts with it. */
export async function findInList(
  session: Session,
  added: ApiResponse,
  filter = '',
): Promise<ApiResponse> {
  const id = requireId(added);
  let page = await largestPage(session, filter);
  const findOnPage = () => petsOn(page).find((pet) => idOf(pet) === id);
  if (findOnPage() === undefined) page = await largestPage(session, `${filter}&after=${id - 1n}`);
  const json = findOnPage();
  const others = petsOn(page);
  // The contract does not name `after`. A service that ignores it returns the first page again.
  const isElsewhere = others.length === MAX_LIMIT && (idOf(others[0]) ?? id) < id;
  need(
    json !== undefined || !isElsewhere,
    'The list has more pages, and none starts with this pet.',
  );
  expect(json !== undefined, `the pet ${id}`, `${others.length} other pets`, page);
  return { ...page, json };
}

/** The request for the next page, if a response links one. */
export function nextLink(session: Session, page: ApiResponse): ApiRequest | undefined {
  const [, link] = /<([^>]*)>[^<]*\brel="?next\b/i.exec(page.headers.get('link') ?? '') ?? [];
  if (link === undefined) return undefined;
  const { baseUrl } = session.options;
  const url = URL.parse(link, `${baseUrl}${page.request.path}`)?.href ?? link;
  const isHere = url.startsWith(`${baseUrl}/`);
  need(isHere, `The key is not sent to the next page, at ${session.show(url)}.`);
  return { path: url.slice(baseUrl.length) };
}
