import { z } from 'zod';
import { INT64_RULE, parseId, parseInt64 } from '../../domain/int64.ts';
import { listedPetJson } from '../../domain/operator/operator-json.ts';
import { NEW_PET_FIELDS, newPetSchema, type PetStatus, petStatusSchema } from '../../domain/pet.ts';
import { PET_COLUMNS } from '../../domain/pet-columns.ts';
import { parseSince, parseUntil } from '../../domain/time-text.ts';
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

const FILTERS = ['id', 'account', 'key', 'since', 'until', 'status'];

export function petRoutes({ store, now }: ConsoleSources): ConsoleRoutes {
  const { pets } = store;
  return {
    '/api/pets': {
      async GET({ query }): Promise<Api.Page<Api.Pet>> {
        const [id, account, key, since, until, status] = FILTERS.map((name) => query.get(name));
        if (id) return pageOf([petJson(listedPetJson(await pets.getPet(idOf(id))))]);
        // A status or a key that does not exist matches nothing. No key has the id 0.
        const found = pets.findPets({
          account: account || undefined,
          keyId: key ? (parseId(key) ?? 0) : undefined,
          sinceMs: since ? parseSince(since, now()) : undefined,
          untilMs: until ? parseUntil(until, now()) : undefined,
          status: (status || undefined) as PetStatus | undefined,
          beforeId: parseInt64(query.get('cursor') ?? ''),
          limit: PAGE_SIZE + 1,
        });
        return pageOf((await Array.fromAsync(found)).flat().map(listedPetJson).map(petJson));
      },
      async POST({ request }): Promise<Pick<Api.Pet, 'id'>> {
        return petJson(await pets.addPet(await readBody(request, newPetBody)));
      },
    },
    '/api/pets/:id/status': {
      async POST({ request, params }) {
        const id = idOf(params['id']);
        const { status } = await readBody(request, { status: petStatusSchema });
        await pets.setStatus(id, status);
      },
    },
  };
}

function petJson(pet: object): Api.Pet {
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
