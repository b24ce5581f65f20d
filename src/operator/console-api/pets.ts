import { z } from 'zod';
import { listedPetJson } from '#domain/operator/operator-json.ts';
import { NEW_PET_FIELDS, newPetSchema, PET_STATUS_RULE, petStatusSchema } from '#domain/pet.ts';
import { PET_COLUMNS } from '#domain/pet-columns.ts';
import { parseSince, parseUntil } from '#domain/time-text.ts';
import { INT64_RULE, parseId, parseInt64 } from '#formats/int64.ts';
import { parseJson } from '#formats/json.ts';
import {
  type ConsoleRoutes,
  type ConsoleSources,
  orRefuse,
  pageOf,
  ROWS_PER_PAGE,
  readBody,
} from './call.ts';

/** A form sends only texts. A text that is not JSON is passed on, and breaks the rule of the field. */
function fromText(column: string) {
  return (text: unknown) => {
    if (typeof text !== 'string' || column.startsWith('text')) return text;
    try {
      return parseJson(text);
    } catch {
      return text;
    }
  };
}

const newPetBody = Object.fromEntries(
  NEW_PET_FIELDS.map((field) => [
    field,
    z.preprocess(fromText(PET_COLUMNS[field]), newPetSchema.shape[field]),
  ]),
) as unknown as typeof newPetSchema.shape;

export function petRoutes({ now }: ConsoleSources) {
  return {
    async 'GET /api/pets'({ request, read, store: { pets } }) {
      const id = read('id', parseInt64, ID_RULE);
      if (id !== undefined) return pageOf([petJson(listedPetJson(await pets.getPet(id)))]);
      const found = pets.findPets({
        account: read('account', String),
        keyId: read('key', parseId),
        sinceMs: read('since', (text) => parseSince(text, now())),
        untilMs: read('until', (text) => parseUntil(text, now())),
        status: read(
          'status',
          (text) => petStatusSchema.safeParse(text).data,
          `The status ${PET_STATUS_RULE}.`,
        ),
        beforeId: read('cursor', parseInt64, ID_RULE),
        limit: ROWS_PER_PAGE + 1,
      });
      const rows: PetJson[] = [];
      for await (const batch of found) {
        rows.push(...batch.map(listedPetJson).map(petJson));
        // The operator has already started another search.
        if (request.signal.aborted) break;
      }
      return pageOf(rows);
    },
    async 'POST /api/pets'({ request, store }) {
      return petJson(await store.pets.addPet(await readBody(request, newPetBody)));
    },
    async 'POST /api/pets/:id/status'({ request, id, store }) {
      const { status } = await readBody(request, { status: petStatusSchema });
      await store.pets.setStatus(petId(id), status);
    },
    async 'POST /api/pets/:id/remove'({ id, store }) {
      await store.pets.removePet(petId(id));
    },
  } satisfies ConsoleRoutes;
}

/** A bigint is sent as text, because a browser would round the number. */
type Sent<Value> = Value extends bigint ? string : Value;

type ListedPetJson = ReturnType<typeof listedPetJson>;
type PetJson = { readonly [Field in keyof ListedPetJson]: Sent<ListedPetJson[Field]> };

function petJson(pet: object): PetJson {
  const fields = Object.entries(pet).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return Object.fromEntries(fields);
}

const ID_RULE = `The id of a pet ${INT64_RULE}.`;

function petId(text: string): bigint {
  return orRefuse(parseInt64(text), ID_RULE);
}
