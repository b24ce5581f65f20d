import { expect, test } from 'bun:test';
import { hasValidChecksum, mintSecret } from '../../src/domain/key-secret.ts';
import { readToken } from '../../src/http/authenticate.ts';
import { platform } from '../../src/platform.ts';
import { startService } from '../support/service.ts';

test('a malformed token has one prepared response, whoever sends it', () => {
  const secret = mintSecret(platform.randomBytes);
  for (const text of ['ask_', 'x'.repeat(10_000), `${secret}0`, `${secret}, ${secret}`]) {
    // The pipeline has that response. Strangers can send any number of them.
    expect(readToken(`Bearer ${text}`, 'production')).toBeUndefined();
  }
  expect(readToken(`bearer  ${secret}`, 'production')).toMatchObject({ secret });
});

test.each([
  {
    environment: 'production' as const,
    message:
      'This is a key of staging, and works only there. Use a key of production here: "ask_" and 38 letters and digits.',
  },
  {
    environment: 'staging' as const,
    message:
      'This is a key of production, and works only there. Use a key of staging here: "ask_test_" and 38 letters and digits.',
  },
])('a key of the other environment is explained on $environment', ({ environment, message }) => {
  const own = mintSecret(platform.randomBytes, environment);
  const foreign = mintSecret(
    platform.randomBytes,
    environment === 'staging' ? 'production' : 'staging',
  );
  const read = (secret: string) => readToken(`Bearer ${secret}`, environment);
  expect(read(own)).toMatchObject({ secret: own });
  expect(read(foreign)).toMatchObject({ code: 'invalid_api_key', message });
  for (const secret of [own.slice(0, -1), 'ask_test_', 'x']) {
    expect(read(secret)).toBeUndefined();
  }
});

test('a key with a wrong checksum is refused even if the store has its hash', async () => {
  await using service = await startService();
  const { secret, accountName } = service.key;
  const typo = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  expect(hasValidChecksum(typo)).toBe(false);
  const { accounts } = service.store;
  await accounts.createKey({ accountName, label: '', secret: typo, expiresAtMs: null, nowMs: 0 });
  expect((await service.call('/pets', { key: typo })).status).toBe(401);
});
