import type { Limits } from '../../src/domain/plan.ts';
import { type ApiCaller, apiCaller } from './api-caller.ts';
import { makeKey, type Serving, type Settings, serve } from './command.ts';
import { newFile } from './temporary-folder.ts';

/** A service, and a caller with a key of a new account. */
export interface ServedWithKey extends Serving, ApiCaller {
  readonly settings: Settings;
  /** The data file, if the store is one. */
  readonly file: string;
  readonly account: string;
  readonly keyId: number;
  readonly secret: string;
}

/** Serves a new file, unless the settings name another store. The limits are high by default. */
export async function serveWithKey(
  changes: Settings = {},
  limits: Partial<Limits> = {},
): Promise<ServedWithKey> {
  const settings = { ...newFile().settings, ...changes };
  await using starting = new AsyncDisposableStack();
  const service = starting.use(await serve(settings));
  const { api, data: file } = service.started;
  const account = Bun.randomUUIDv7();
  const { id: keyId, secret } = await makeKey(settings, account, 'enterprise', limits);
  starting.move();
  return { ...service, ...apiCaller(api, secret), settings, file, account, keyId, secret };
}
