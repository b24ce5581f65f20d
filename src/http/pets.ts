import { API_PREFIX, OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { Account } from '../domain/account.ts';
import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import { AppError } from '../domain/error.ts';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type Once } from '../domain/idempotency.ts';
import {
  type NewPet,
  newPetSchema,
  newPetToJson,
  type PetQuery,
  petToJson,
  type WrittenPets,
} from '../domain/pet.ts';
import { isRemoved } from './deprecation.ts';
import { readQuery } from './query.ts';
import { readJsonBody } from './read-body.ts';
import type { Reply } from './reply.ts';

/** A request that has been authenticated, counted and routed. */
export interface Call {
  readonly request: Request;
  readonly query: string;
  /** As it stands in the path; empty where the path has none. */
  readonly petId: string;
  readonly account: Account;
  readonly nowMs: number;
  /** Where the interface is reached from outside, without the version prefix. */
  readonly publicUrl: string;
  readonly pets: WrittenPets;
  readonly sha256: (text: string) => Uint8Array;
}

const PETS_PATH = `${API_PREFIX}${OPERATIONS.listPets.path}`;

type Handler = (call: Call) => Awaitable<Reply>;

function listPets({ query, pets, publicUrl }: Call): Awaitable<Reply> {
  const asked = readQuery(query, OPERATIONS.listPets.query);
  return whenReady(pets.listPets(asked), ({ json, lastId }) => ({
    status: OPERATIONS.listPets.success.status,
    body: json,
    link:
      lastId === undefined
        ? undefined
        : `<${pageUrl(publicUrl, { ...asked, after: lastId })}>; rel="next"`,
  }));
}

async function createPet(call: Call): Promise<Reply> {
  const key = call.request.headers.get('idempotency-key');
  if (key !== null && !isIdempotencyKey(key)) {
    throw new AppError('invalid_parameter', `The header Idempotency-Key ${IDEMPOTENCY_KEY_RULE}.`);
  }
  const newPet = parseNewPet(await readJsonBody(call.request));
  const { pet, replayed } = await call.pets.createPet(
    newPet,
    key === null ? undefined : once(call, key, newPet),
  );
  const headers: Record<string, string> = { Location: petUrl(call, pet.id) };
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  return { status: OPERATIONS.createPet.success.status, body: petToJson(pet), headers };
}

function getPet({ petId, pets }: Call): Awaitable<Reply> {
  return whenReady(pets.getPet(decodePathParameter(petId)), (json) => {
    if (json === undefined) throw new AppError('pet_not_found', 'No animal has this identifier.');
    return { status: OPERATIONS.getPet.success.status, body: json };
  });
}

export const HANDLERS: Readonly<Record<OperationName, Handler>> = { listPets, createPet, getPet };

function parseNewPet(body: unknown): NewPet {
  const parsed = newPetSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path[0]?.toString() ?? 'The body'} ${message}`,
  );
  throw new AppError('validation_failed', `${problems.join('; ')}.`);
}

function once({ account, nowMs, sha256 }: Call, key: string, pet: NewPet): Once {
  const fingerprint = sha256(newPetToJson(pet)).toHex();
  return { accountId: account.id, key, fingerprint, nowMs };
}

/** The address of one animal: its own for as long as there is one, else the page that holds it. */
function petUrl({ publicUrl, nowMs }: Call, id: bigint): string {
  return isRemoved('getPet', nowMs)
    ? pageUrl(publicUrl, { after: id - 1n, limit: 1 })
    : `${publicUrl}${PETS_PATH}/${id}`;
}

function pageUrl(publicUrl: string, { status, limit, after }: PetQuery): string {
  const filter = status === undefined ? '' : `status=${status}&`;
  return `${publicUrl}${PETS_PATH}?${filter}limit=${limit}&after=${after}`;
}

function decodePathParameter(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
