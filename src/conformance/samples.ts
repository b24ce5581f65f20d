import {
  type ApiRequest,
  type ApiResponse,
  type Credential,
  createPet,
  getPet,
  isInt64,
  isObject,
  isSuccess,
  type Json,
  listPets,
  NAME,
  retryAfter,
  stringify,
} from './http.ts';
import { CheckFailed, expect, need, type Session } from './session.ts';
import { type Expectation, fieldOf, status } from './statement.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export const INT64_MAX = 2n ** 63n - 1n;
export const INT64_MIN = -(2n ** 63n);
export const CHOSEN_ID = 1_234_567_890_123_456_789n;

/** Fields of the pets that a run adds and finds again. Each also gets a name and a category. */
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

const LABELS = Object.keys(SAMPLES) as SampleLabel[];

/** The response of createPet to a sample. */
export interface Sample extends ApiResponse {
  /** The fields that other responses must show: what was sent, and the id that was assigned. */
  readonly fields: Readonly<Record<string, Json | undefined>>;
  /** Undefined if the response shows none. */
  readonly id: bigint | undefined;
}

/** Sends samples to createPet, once per run. The service may refuse some. */
export function created(...labels: readonly SampleLabel[]) {
  return (session: Session) => Array.fromAsync(labels, (label) => create(session, label));
}

async function create(session: Session, label: SampleLabel): Promise<Sample> {
  const sent = {
    name: `${NAME} ${label} ${new Date(session.startedAtMs).toISOString()}`,
    categoryId: BigInt(LABELS.indexOf(label) + 1),
    ...SAMPLES[label],
  };
  const response = await session.send(createPet(sent));
  const id = isSuccess(response) ? idOf(response.json) : undefined;
  return { ...response, fields: { ...sent, id }, id };
}

/** The samples that the service has accepted and shown with an id. */
export async function samplesWithId(session: Session): Promise<Sample[]> {
  const samples = await created(...LABELS)(session);
  return samples.filter(({ id }) => id !== undefined);
}

/** The id of a pet, for statements on other things. */
export async function anyId(session: Session): Promise<bigint> {
  return requireId(await create(session, 'available'));
}

function requireId({ id }: Sample): bigint {
  need(id !== undefined, 'This check needs the id of a new pet: see createPet.pet.');
  return id;
}

/** For statements that are not about createPet. */
export function isReturned(response: ApiResponse): void {
  const isMet = isSuccess(response) && isObject(response.json);
  need(isMet, 'createPet did not return this pet: see createPet.created.');
}

/** Expects createPet to return a field as it was sent. */
export function keeps(name: string): Expectation<Sample> {
  return (sample) => {
    isReturned(sample);
    expectFields(sample, sample, name);
  };
}

/** Expects a later response, with the pet as its JSON, to show a sample as it was sent. */
export function isUnchanged(
  find: (session: Session, sample: Sample) => Promise<ApiResponse>,
): Expectation<Sample> {
  return async (sample, session) =>
    expectFields(sample, await find(session, sample), ...Object.keys(PET_FIELDS));
}

function expectFields({ fields }: Sample, response: ApiResponse, ...names: string[]): void {
  for (const name of names) {
    const got = fieldOf(response.json, name);
    const isMet = fields[name] === undefined || fields[name] === got;
    expect(isMet, `${name}: ${stringify(fields[name])}`, stringify(got), response);
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

/** Calls getPet, if the service has it now. */
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

export async function findById(session: Session, sample: Sample): Promise<ApiResponse> {
  const response = await callGetPet(session, requireId(sample));
  await status(200)(response, session);
  return response;
}

export const MAX_LIMIT = 100;
/** Up to this many pets are added with any key, and more only with requests to spare. */
const FEW_PETS = 25;
/** Requests that the rest of the run needs. */
const SPARE_REQUESTS = 60;

/** The largest page, which most statements on lists need. */
export function largestPage(session: Session, filter = ''): Promise<ApiResponse> {
  return session.send(listPets(`?limit=${MAX_LIMIT}${filter}`));
}

/** The pets of a list, for a check that is not about the list's shape. */
export function petsOn(page: ApiResponse): readonly Json[] {
  const isList = isSuccess(page) && Array.isArray(page.json);
  need(isList, 'This check needs a list: see listPets.array and listPets.limit.maximum.');
  return page.json;
}

/** Adds as few pets as it takes for the deployment to have `count`. */
export async function requirePets(session: Session, count: number): Promise<void> {
  const page = await largestPage(session);
  const missing = count - petsOn(page).length;
  const remaining = page.headers.get('x-ratelimit-remaining');
  const isAffordable = session.hasClocks || Number(remaining) >= missing + SPARE_REQUESTS;
  const reason = remaining === null ? 'is missing' : 'does not allow them';
  need(
    missing <= FEW_PETS || isAffordable,
    `This check needs ${missing} more pets, and X-RateLimit-Remaining ${reason}.`,
  );
  for (let i = 1; i <= missing; i++) {
    isReturned(await session.send(createPet({ name: `${NAME} ${i} of ${missing}` })));
  }
}

/**
 * Finds a sample on the first page of a list. In a longer list, it follows the link to the next page,
 * changed so that the page begins with the first sample, or else with this one.
 */
export async function findInList(
  session: Session,
  sample: Sample,
  filter = '',
): Promise<ApiResponse> {
  const id = requireId(sample);
  const [first] = await samplesWithId(session);
  const firstPage = await largestPage(session, filter);
  let page = firstPage;
  for (const start of [undefined, first?.id, id]) {
    if (start !== undefined) page = await pageFrom(session, firstPage, start);
    const pet = petsOn(page).find((one) => idOf(one) === id);
    if (pet !== undefined) return { ...page, json: pet };
    // The list ends here.
    if (petsOn(page).length < MAX_LIMIT && nextLink(session, page) === undefined) break;
  }
  throw new CheckFailed(`the pet ${id}`, `${petsOn(page).length} other pets`, page);
}

/** This needs a link with a parameter that is the id of the last pet. */
async function pageFrom(session: Session, page: ApiResponse, id: bigint): Promise<ApiResponse> {
  const reason = 'The list may have more pages, and no link leads to this pet.';
  const link = nextLink(session, page);
  need(link !== undefined, reason);
  const lastId = new RegExp(`(?<!limit)=${idOf(petsOn(page).at(-1))}\\b`);
  need(lastId.test(link.path), reason);
  const path = link.path.replace(lastId, `=${id - 1n}`);
  const shownBy = await session.send({ ...link, path });
  // If the page begins with an earlier pet, the parameter means something else.
  need((idOf(petsOn(shownBy)[0]) ?? id) >= id, reason);
  return shownBy;
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
