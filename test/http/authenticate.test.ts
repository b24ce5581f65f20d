import { expect, test } from 'bun:test';
import { type KnownKey, toKnownKey } from '../../src/domain/api-key.ts';
import { hasValidChecksum, mintSecret } from '../../src/domain/key-secret.ts';
import { authenticate } from '../../src/http/authenticate.ts';
import { platform } from '../../src/platform.ts';
import { anAccount } from '../support/account.ts';
import { anApiKey } from '../support/api-key.ts';
import { startService } from '../support/service.ts';

const KNOWN: KnownKey = toKnownKey(anApiKey(), anAccount());

test('a malformed key is not looked up', async () => {
  let lookups = 0;
  const keys = {
    findKey() {
      lookups++;
      return KNOWN;
    },
  };
  const secret = mintSecret(platform.randomBytes);
  for (const text of ['ask_', 'x'.repeat(10_000), `${secret}0`, `${secret}, ${secret}`]) {
    const refused = await authenticate(`Bearer ${text}`, keys, 0);
    expect(refused).toMatchObject({ code: 'invalid_api_key' });
    // Strangers can send any number of them, so the response is not written each time.
    expect(await authenticate('Bearer x', keys, 0)).toBe(refused);
  }
  expect(lookups).toBe(0);
  expect(await authenticate(`bearer  ${secret}`, keys, 0)).toBe(KNOWN);
});

test.each([
  {
    isStaging: false,
    message: 'This is a test key. It works only on staging. Use a key of production here.',
  },
  {
    isStaging: true,
    message:
      'This is a key of production. Staging accepts only test keys, which begin with ask_test_.',
  },
])('a key of the other side is explained (staging: $isStaging)', async ({ isStaging, message }) => {
  const own = mintSecret(platform.randomBytes, isStaging);
  const ofOtherSide = mintSecret(platform.randomBytes, !isStaging);
  const keys = { findKey: (secret: string) => (secret === own ? KNOWN : undefined) };
  const check = (secret: string) => authenticate(`Bearer ${secret}`, keys, 0, isStaging);
  expect(await check(own)).toBe(KNOWN);
  expect(await check(ofOtherSide)).toMatchObject({ code: 'invalid_api_key', message });
  const never = mintSecret(platform.randomBytes, isStaging);
  for (const secret of [never, own.slice(0, -1), 'ask_test_', 'x']) {
    const { message: reason } = (await check(secret)) as { message: string };
    expect(reason).toContain(`"${isStaging ? 'ask_test_' : 'ask_'}" and 38 letters and digits`);
  }
});

test('a key with a wrong checksum is refused even if the store has its hash', async () => {
  await using service = await startService();
  const { secret, accountName } = service.key;
  const typo = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  expect(hasValidChecksum(typo)).toBe(false);
  const hash = Bun.SHA256.hash(typo, new Uint8Array(32)) as Uint8Array;
  const { accounts } = service.store;
  await accounts.createKey({ accountName, label: '', hash, expiresAtMs: null, nowMs: 0 });
  expect((await service.call('/pets', { key: typo })).status).toBe(401);
});
