import { API_PREFIX } from '#contract/api.ts';
import { invalidBody, problem } from '#contract/errors.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { OPERATIONS, type OperationName } from '#contract/operations.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { andThen } from '#domain/backend.ts';
import type { Brownout } from '#domain/brownout.ts';
import { IDEMPOTENCY_KEY_PATTERN, IDEMPOTENCY_KEY_RULE } from '#domain/idempotency-key.ts';
import {
  newPetSchema,
  newPetToJson,
  type Pet,
  type PetQuery,
  type PetStore,
  petsToJson,
  petToJson,
} from '#domain/pet.ts';
import { parseInt64 } from '#formats/int64.ts';
import type { JsonValue } from '#formats/json.ts';
import type { Call } from './authenticate.ts';
import { readQuery, splitUrl } from './query.ts';
import { problemIfRemoved } from './unserved.ts';

/** Serves a request that was authenticated, counted and matched to the operation, and whose body was read. */
type Handler = (
  call: Call,
  key: KnownKey,
  body?: JsonValue,
) => ResponseParts | Promise<ResponseParts>;

const PETS_PATH = `${API_PREFIX}${OPERATIONS.listPets.path}`;

export function petHandlers(
  pets: PetStore,
  brownouts: readonly Brownout[],
  publicUrl: string,
): Readonly<Record<OperationName, Handler>> {
  const pageUrl = ({ status, limit, after }: PetQuery): string => {
    const filter = status === undefined ? '' : `status=${status}&`;
    return `${publicUrl}${PETS_PATH}?${filter}limit=${limit}&after=${after}`;
  };

  return {
    listPets({ request }) {
      const { query: text } = splitUrl(request.url);
      const query = readQuery(text, OPERATIONS.listPets.query);
      // One more pet than the page holds shows whether another page follows.
      return andThen(pets.listPets({ ...query, limit: query.limit + 1 }), (found) => {
        const { status } = OPERATIONS.listPets.success;
        const body = petsToJson(found, query.limit);
        const last = found[query.limit - 1];
        if (last === undefined || found.length <= query.limit) return { status, body };
        const next = pageUrl({ ...query, after: last.id });
        return { status, body, link: `<${next}>; rel="next"` };
      });
    },

    async createPet({ request, nowMs, timeMs }, { id: keyId, accountId }, body) {
      const idempotencyKey = request.headers.get('idempotency-key');
      if (idempotencyKey !== null && !IDEMPOTENCY_KEY_PATTERN.test(idempotencyKey)) {
        return problem('invalid_parameter', 'header Idempotency-Key', IDEMPOTENCY_KEY_RULE);
      }
      const { success, data: newPet, error } = newPetSchema.safeParse(body);
      if (!success) return invalidBody(error);
      const repeatable =
        idempotencyKey === null
          ? undefined
          : {
              accountId,
              key: idempotencyKey,
              fingerprint: Bun.SHA256.hash(newPetToJson(newPet), 'hex'),
              offsetMs: timeMs - nowMs,
            };
      const { pet, replayed } = await pets.createPet(newPet, repeatable, keyId);
      return {
        status: OPERATIONS.createPet.success.status,
        body: petToJson(pet),
        headers: {
          // Once getPet is gone, the URL of a pet is that of the page which holds only this pet.
          Location: problemIfRemoved('getPet', timeMs, brownouts)
            ? pageUrl({ after: pet.id - 1n, limit: 1 })
            : `${publicUrl}${PETS_PATH}/${pet.id}`,
          ...(replayed && { 'Idempotent-Replayed': 'true' }),
        },
      };
    },

    getPet({ request }) {
      const id = parseInt64(request.params?.['petId'] ?? '');
      return andThen(id === undefined ? undefined : pets.getPet(id), foundPet);
    },
  };
}

function foundPet(pet: Pet | undefined): ResponseParts {
  return pet === undefined
    ? problem('pet_not_found')
    : { status: OPERATIONS.getPet.success.status, body: petToJson(pet) };
}
