import { z } from 'zod';
import { INT64_RULE, parseInt64 } from '../../domain/int64.ts';
import {
  newPetSchema,
  PET_STATUS_RULE,
  PET_STATUSES,
  type Pet,
  petStatusSchema,
} from '../../domain/pet.ts';
import type * as Api from '../console/console-api.ts';
import { ConsoleError, type ConsoleRoutes, type ConsoleSources, json, readBody } from './call.ts';

const PAGE_SIZE = 50;

/** An int64 is sent as text, because browsers would round a number. */
const int64 = z
  .string({ error: INT64_RULE })
  .transform((text) => parseInt64(text))
  .pipe(z.bigint({ error: INT64_RULE }));

const newPetBody = { ...newPetSchema.shape, categoryId: int64 };

export function petRoutes({ pets, store }: ConsoleSources): ConsoleRoutes {
  const corrections = store.pets;
  return {
    '/api/pets': {
      async GET({ query }) {
        const id = query.get('id');
        if (id) {
          const pet = await corrections.getPet(idOf(id));
          return json<Api.PetList>({ pets: [petJson(pet)], next: null });
        }
        const wanted = query.get('status') || undefined;
        const status = PET_STATUSES.find((each) => each === wanted);
        if (status !== wanted) throw new ConsoleError(400, `status ${PET_STATUS_RULE}.`);
        const after = query.get('after') ? idOf(query.get('after') ?? '') : undefined;
        const found = await pets.listPets({ limit: PAGE_SIZE + 1, status, after });
        const page = found.slice(0, PAGE_SIZE).map(petJson);
        const next = found.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null;
        return json<Api.PetList>({ pets: page, next });
      },
      async POST({ request }) {
        const pet = await corrections.addPet(await readBody(request, newPetBody));
        return json<Api.Pet>(petJson(pet), 201);
      },
    },
    '/api/pets/:id/status': {
      async PUT({ request, params }) {
        const id = idOf(params['id']);
        const { status } = await readBody(request, { status: petStatusSchema });
        await corrections.setStatus(id, status);
      },
    },
  };
}

function petJson({ id, name, categoryId, status }: Pet): Api.Pet {
  return { id: String(id), name, categoryId: String(categoryId), status };
}

function idOf(text = ''): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new ConsoleError(400, `The id of a pet ${INT64_RULE}.`);
}
