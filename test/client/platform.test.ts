import { expect, test } from 'bun:test';
import { VERSION } from '../../packages/client/src/platform.ts';
import { startService } from '../support/service.ts';
import { virtualTimeStore } from './virtual-time-store.ts';

test('User-Agent names the client, its version and the runtime, and can be replaced', async () => {
  await using service = await startService();
  const { version } = await Bun.file('packages/client/package.json').json();
  expect(VERSION).toBe(version);
  const { store } = virtualTimeStore(service);
  await store.listPets();
  await store.listPets({ headers: { 'user-agent': 'zoo/1' } });
  const agents = service.observed.map(({ call }) => call.request.headers.get('user-agent'));
  expect(agents).toEqual([`animal-store-client/${version} (bun/${Bun.version})`, 'zoo/1']);
});
