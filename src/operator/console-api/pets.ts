import { z } from 'zod';
import { INT64_RULE, parseInt64 } from '../../domain/int64.ts';
import {
  NEW_PET_FIELDS,
  newPetSchema,
  PET_STATUS_RULE,
  PET_STATUSES,
  type Pet,
  petStatusSchema,
} from '../../domain/pet.ts';
import { PET_COLUMNS } from '../../domain/pet-columns.ts';
import type * as Api from '../console/console-api.ts';
import {
  ConsoleError,
  type ConsoleRoutes,
  type ConsoleSources,
  PAGE_SIZE,
  pageOf,
  readBody,
} from './call.ts';

/** A form sends texts. One that is not a value of its column stays a text, which breaks the rule. */
function fromText(column: string) {
  return (text: unknown) => {
    if (typeof text !== 'string' || column.startsWith('text')) return text;
    if (column.startsWith('boolean')) return { true: true, false: false }[text] ?? text;
    return parseInt64(text.trim()) ?? text;
  };
}

const newPetBody = Object.fromEntries(
  NEW_PET_FIELDS.map((field) => [
    field,
    z.preprocess(fromText(PET_COLUMNS[field]), newPetSchema.shape[field]),
  ]),
) as unknown as typeof newPetSchema.shape;

export function petRoutes({ pets, store }: ConsoleSources): ConsoleRoutes {
  const corrections = store.pets;
  return {
    '/api/pets': {
      async GET({ query }): Promise<Api.Page<Api.Pet>> {
        const id = query.get('id');
        const wanted = query.get('status') || undefined;
        const status = PET_STATUSES.find((each) => each === wanted);
        if (status !== wanted) throw new ConsoleError(400, `status ${PET_STATUS_RULE}.`);
        if (id) {
          const pet = await corrections.getPet(idOf(id));
          return pageOf(status === undefined || pet.status === status ? [petJson(pet)] : []);
        }
        const after = parseInt64(query.get('cursor') ?? '');
        const found = await pets.listPets({ limit: PAGE_SIZE + 1, status, after });
        return pageOf(found.map(petJson));
      },
      async POST({ request }): Promise<Api.Pet> {
        return petJson(await corrections.addPet(await readBody(request, newPetBody)));
      },
    },
    '/api/pets/:id/status': {
      async POST({ request, params }) {
        const id = idOf(params['id']);
        const { status } = await readBody(request, { status: petStatusSchema });
        await corrections.setStatus(id, status);
      },
    },
  };
}

function petJson(pet: Pet): Api.Pet {
  const fields = Object.entries(pet).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return Object.fromEntries(fields);
}

function idOf(text = ''): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new ConsoleError(400, `The id of a pet ${INT64_RULE}.`);
}
