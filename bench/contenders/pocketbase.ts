import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from '../measure/checkout.ts';
import { newPetOf, SMALL } from '../measure/fixture.ts';
import { type PlannedRequest, send } from '../measure/request.ts';
import type { Dialect, Settings } from './contender.ts';

const SOURCE = join(import.meta.dir, 'pocketbase');
export const POCKETBASE_EXECUTABLE = join(DATA, 'pocketbase');
export const POCKETBASE_VERSION = /pocketbase v(\S+)/.exec(
  readFileSync(join(SOURCE, 'go.mod'), 'utf8'),
)?.[1];
const RECORDS = '/api/collections/pets/records';

/** Returns false if Go is missing. If the installed Go is too old, Go downloads the version in go.mod. */
export function buildPocketBase(): boolean {
  if (Bun.which('go') === null) return false;
  const { success } = Bun.spawnSync(
    ['go', 'build', '-ldflags=-s -w', '-o', POCKETBASE_EXECUTABLE, '.'],
    {
      cwd: SOURCE,
      env: { ...Bun.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' },
      stderr: 'inherit',
    },
  );
  return success;
}

/** Fills a new store, and returns the command line that serves it. */
export function preparePocketBase({ PORT, FOLDER }: Settings): string[] {
  const ids = Array.from({ length: SMALL.pets }, (_, index) => index + 1);
  const pets = ids.map((id) => JSON.stringify({ id: recordIdOf(id), ...newPetOf(id) }));
  const data = `--dir=${join(FOLDER, 'pb_data')}`;
  const { success, stdout, stderr } = Bun.spawnSync([POCKETBASE_EXECUTABLE, 'fill', data], {
    stdin: new Blob(pets),
  });
  if (!success) throw new Error(`Cannot add the pets to PocketBase: ${stderr}`);
  writeFileSync(tokenFile(FOLDER), stdout);
  return [POCKETBASE_EXECUTABLE, 'serve', data, `--http=127.0.0.1:${PORT}`];
}

export function pocketBaseDialect(folder: string): Dialect {
  const Authorization = `Bearer ${readFileSync(tokenFile(folder), 'utf8')}`;
  const translate = ({ path, headers, ...others }: PlannedRequest): PlannedRequest => ({
    ...others,
    path: recordPathOf(path),
    headers: { ...headers, Authorization },
  });
  const ask = async (url: string, request: PlannedRequest) => {
    const response = await send(url, request);
    if (!response.ok) throw new Error(`PocketBase: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    translate,
    async send(url, request) {
      const body = await ask(url, translate(request));
      if (request.method === 'GET') return Response.json(body.items?.map(petOf) ?? petOf(body));
      // PocketBase gives a new record a random id. Animal Store counts up, so this returns the number of records as
      // the id.
      const count = {
        method: 'GET',
        path: `${RECORDS}?perPage=1`,
        headers: { Authorization },
      } as const;
      const { totalItems } = await ask(url, count);
      return Response.json({ ...petOf(body), id: totalItems }, { status: 201 });
    },
  };
}

function tokenFile(folder: string): string {
  return join(folder, 'token');
}

/** PocketBase ids are strings of 15 characters. */
function recordIdOf(id: number | string): string {
  return String(id).padStart(15, '0');
}

/** Translates `/v1/pets`, `/v1/pets/1` or `/v1/pets?limit=20&after=1` into the matching PocketBase path. */
function recordPathOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const id = pathname.split('/')[3];
  if (id !== undefined) return `${RECORDS}/${recordIdOf(id)}`;
  const { limit, after } = Object.fromEntries(searchParams);
  if (limit === undefined || after === undefined) return RECORDS;
  const filter = `id>"${recordIdOf(after)}"`;
  const query = { perPage: limit, skipTotal: '1', sort: 'id', filter };
  return `${RECORDS}?${new URLSearchParams(query)}`;
}

type PetRecord = Readonly<Record<'id' | 'name' | 'categoryId' | 'status', unknown>>;

/** Leaves out the id and the name of the collection, which a PocketBase record also has. */
function petOf({ id, name, categoryId, status }: PetRecord): object {
  return { id: Number(id), name, categoryId, status };
}
