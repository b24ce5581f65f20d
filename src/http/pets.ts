import { API_PREFIX, OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { KnownKey } from '../domain/api-key.ts';
import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import { AppError } from '../domain/error.ts';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey } from '../domain/idempotency.ts';
import {
  type NewPet,
  newPetSchema,
  newPetToJson,
  type PetPage,
  type PetQuery,
  petToJson,
  type WrittenPets,
} from '../domain/pet.ts';
import { isRemoved } from './deprecation.ts';
import { readQuery } from './query.ts';
import { readJsonBody } from './read-body.ts';
import type { Reply } from './reply.ts';
import type { Route } from './router.ts';

/** A request that has been authenticated, counted and routed. */
export interface Call {
  readonly request: Request;
  readonly query: string;
  readonly route: Route;
  readonly known: KnownKey;
  readonly nowMs: number;
}

export interface Service {
  readonly pets: WrittenPets;
  /** Where the interface is reached from outside, without the version prefix. */
  readonly publicUrl: string;
  readonly sha256: (text: string) => Uint8Array;
}

type Handler = (call: Call) => Awaitable<Reply>;

const PETS_PATH = `${API_PREFIX}${OPERATIONS.listPets.path}`;

/** What each operation does. */
export function petHandlers(service: Service): Readonly<Record<OperationName, Handler>> {
  const { pets, publicUrl, sha256 } = service;

  function listPets({ query }: Call): Awaitable<Reply> {
    const asked = readQuery(query, OPERATIONS.listPets.query);
    return whenReady(pets.listPets(asked), pageReply, asked);
  }

  function pageReply({ json, lastId }: PetPage, asked: PetQuery): Reply {
    const { status } = OPERATIONS.listPets.success;
    if (lastId === undefined) return { status, body: json };
    const next = pageUrl(publicUrl, { ...asked, after: lastId });
    return { status, body: json, link: `<${next}>; rel="next"` };
  }

  async function createPet({ request, known, nowMs }: Call): Promise<Reply> {
    const key = request.headers.get('idempotency-key');
    if (key !== null && !isIdempotencyKey(key)) {
      const problem = `The header Idempotency-Key ${IDEMPOTENCY_KEY_RULE}.`;
      throw new AppError('invalid_parameter', problem);
    }
    const newPet = parseNewPet(await readJsonBody(request));
    const once =
      key === null
        ? undefined
        : { accountId: known.account.id, key, fingerprint: fingerprint(newPet), nowMs };
    const { pet, replayed } = await pets.createPet(newPet, once);
    const headers: Record<string, string> = { Location: petUrl(publicUrl, pet.id, nowMs) };
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    return { status: OPERATIONS.createPet.success.status, body: petToJson(pet), headers };
  }

  function fingerprint(pet: NewPet): string {
    return sha256(newPetToJson(pet)).toHex();
  }

  function getPet({ route }: Call): Awaitable<Reply> {
    return whenReady(pets.getPet(decodePathParameter(route.parameter)), petReply);
  }

  return { listPets, createPet, getPet };
}

function petReply(json: string | undefined): Reply {
  if (json === undefined) throw new AppError('pet_not_found', 'No animal has this identifier.');
  return { status: OPERATIONS.getPet.success.status, body: json };
}

function parseNewPet(body: unknown): NewPet {
  const parsed = newPetSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path[0]?.toString() ?? 'The body'} ${message}`,
  );
  throw new AppError('validation_failed', `${problems.join('; ')}.`);
}

/** The address of one animal: its own for as long as there is one, else the page that holds it. */
function petUrl(publicUrl: string, id: bigint, nowMs: number): string {
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
