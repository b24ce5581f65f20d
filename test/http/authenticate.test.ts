import { describe, expect, test } from 'bun:test';
import { type KnownKey, mintSecret, toKnownKey } from '../../src/domain/api-key.ts';
import { authenticate } from '../../src/http/authenticate.ts';
import { platform } from '../../src/platform.ts';
import { anApiKey } from '../support/api-key.ts';

test('a key that is none is not hashed, and one with a slip of the pen not looked up', async () => {
  let lookedUp = 0;
  let hashed = 0;
  const keys = {
    recallKey: () => undefined,
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
  const refused = { code: 'invalid_api_key' };
  for (const text of ['ask_', 'x'.repeat(10_000)]) {
    expect(await authenticate(`Bearer ${text}`, keys, sha256, 0)).toMatchObject(refused);
  }
  expect([lookedUp, hashed]).toEqual([0, 0]);
  expect(await authenticate(`Bearer ${slip}`, keys, sha256, 0)).toMatchObject(refused);
  expect([lookedUp, hashed]).toEqual([0, 1]);
  expect(await authenticate(`Bearer ${secret}`, keys, sha256, 0)).toMatchObject(refused);
  expect([lookedUp, hashed]).toEqual([1, 2]);
});

describe('a key whose hash is not quite that of the secret', () => {
  const secret = mintSecret(platform.randomBytes);
  const hash = platform.sha256(secret);
  const limits = { perMinute: 1, perDay: 1 };
  const account = { id: 1, name: 'x', plan: 'enterprise', limits, createdAtMs: 0 } as const;
  const right = toKnownKey(anApiKey(), hash, account);
  const wrong = toKnownKey(anApiKey(), hash.with(31, (hash[31] ?? 0) ^ 1), account);
  const authenticated = (recalled: KnownKey | undefined, found: KnownKey | undefined) => {
    const keys = { recallKey: () => recalled, findKey: () => found };
    return authenticate(`Bearer ${secret}`, keys, platform.sha256, 0);
  };

  test('is refused when it is found', () => {
    expect(authenticated(undefined, wrong)).toMatchObject({ code: 'invalid_api_key' });
    expect(authenticated(wrong, wrong)).toMatchObject({ code: 'invalid_api_key' });
  });

  test('is passed over when it is remembered', () => {
    expect(authenticated(wrong, right)).toBe(right);
    expect(authenticated(right, undefined)).toBe(right);
  });
});
