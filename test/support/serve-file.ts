import { type ApiCaller, apiCaller } from './api-caller.ts';
import { makeKey, type Serving, type Settings, serve } from './command.ts';
import { newFile } from './temporary-folder.ts';

export interface ServedFile extends Serving, ApiCaller {
  readonly file: string;
  readonly settings: Settings;
  /** Of a key whose limits are never reached. The caller uses it. */
  readonly secret: string;
}

/** A service on a new file, unless the settings name another, and a caller. */
export async function serveFile(changes: Settings = {}): Promise<ServedFile> {
  const settings = { ...newFile().settings, ...changes };
  const service = await serve(settings);
  const { api, data: file } = service.started;
  const { secret } = await makeKey(settings, Bun.randomUUIDv7());
  return { ...service, ...apiCaller(api, secret), file, settings, secret };
}
