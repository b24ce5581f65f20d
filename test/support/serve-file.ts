import { join } from 'node:path';
import { apiCaller } from './api-caller.ts';
import { makeKey, type Serving, type Settings, serve } from './command.ts';

export interface ServedFile extends AsyncDisposable {
  readonly file: string;
  readonly settings: Settings;
  readonly service: Serving;
  /** Adds a pet. */
  add(): Promise<Response>;
  list(): Promise<Response>;
  isReady(): Promise<boolean>;
}

/** A service on the file `store.db` of a folder, and a caller with high limits. */
export async function serveFile(folder: string, changes: Settings = {}): Promise<ServedFile> {
  const file = join(folder, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, ...changes };
  const service = await serve(settings);
  const { secret } = await makeKey(settings, Bun.randomUUIDv7());
  const { api, operator } = service.started;
  const caller = apiCaller(api, secret);
  return {
    file,
    settings,
    service,
    add: () => caller.add('Rex'),
    list: () => caller.get('/pets'),
    isReady: async () => (await fetch(`${operator}/health/ready`)).ok,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
