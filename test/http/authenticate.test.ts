import { expect, test } from 'bun:test';
import { mintSecret } from '../../src/domain/api-key.ts';
import { authenticate } from '../../src/http/authenticate.ts';
import { platform } from '../../src/platform.ts';
import { anApiKey } from '../support/api-key.ts';

test('a key with a wrong checksum is refused before it is hashed or looked up', async () => {
  let lookedUp = 0;
  let hashed = 0;
  const keys = {
    async findKey() {
      lookedUp++;
      return undefined;
    },
  };
  const sha256 = (text: string) => {
    hashed++;
    return platform.sha256(text);
  };
  const secret = mintSecret(platform.randomBytes);
  const slip = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  for (const text of [slip, 'ask_', 'x'.repeat(10_000)]) {
    expect(await authenticate(`Bearer ${text}`, keys, sha256, 0)).toMatchObject({
      code: 'invalid_api_key',
    });
  }
  expect([lookedUp, hashed]).toEqual([0, 0]);
  await authenticate(`Bearer ${secret}`, keys, sha256, 0);
  expect([lookedUp, hashed]).toEqual([1, 1]);
});

test('a key whose hash is not quite the one looked up is refused', async () => {
  const secret = mintSecret(platform.randomBytes);
  const hash = platform.sha256(secret).slice();
  hash[31] = (hash[31] ?? 0) ^ 1;
  const key = anApiKey();
  const limits = { perMinute: 1, perDay: 1 };
  const account = { id: 1, name: 'x', plan: 'enterprise', limits, createdAtMs: 0 } as const;
  const keys = { findKey: async () => ({ key, hash, account }) };
  expect(await authenticate(`Bearer ${secret}`, keys, platform.sha256, 0)).toMatchObject({
    code: 'invalid_api_key',
  });
});
