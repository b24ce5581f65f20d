import { expect, test } from 'bun:test';
import { type KnownKey, mintSecret, toKnownKey } from '../../src/domain/api-key.ts';
import { authenticate } from '../../src/http/authenticate.ts';
import { platform } from '../../src/platform.ts';
import { anApiKey } from '../support/api-key.ts';

test('only what can be a key is hashed and looked up', async () => {
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
  for (const text of ['ask_', 'x'.repeat(10_000), slip]) {
    expect(await authenticate(`Bearer ${text}`, keys, sha256, 0)).toMatchObject(refused);
  }
  expect([lookedUp, hashed]).toEqual([0, 0]);
  expect(await authenticate(`Bearer ${secret}`, keys, sha256, 0)).toMatchObject(refused);
  expect([lookedUp, hashed]).toEqual([1, 1]);
});

const LIMITS = { perMinute: 1, perDay: 1 };
const ACCOUNT = { id: 1, name: 'x', plan: 'enterprise', limits: LIMITS, createdAtMs: 0 } as const;

test('a key whose hash is not quite the one found is refused', async () => {
  const secret = mintSecret(platform.randomBytes);
  const hash = platform.sha256(secret).slice();
  hash[31] = (hash[31] ?? 0) ^ 1;
  const known = toKnownKey(anApiKey(), hash, ACCOUNT);
  const keys = { recallKey: () => undefined, findKey: async () => known };
  expect(await authenticate(`Bearer ${secret}`, keys, platform.sha256, 0)).toMatchObject({
    code: 'invalid_api_key',
  });
});

test('a key that is at hand is taken at once, and one known to be nobody’s refused at once', () => {
  const secret = mintSecret(platform.randomBytes);
  const known = toKnownKey(anApiKey(), platform.sha256(secret), ACCOUNT);
  const findKey = () => {
    throw new Error('not to be looked up');
  };
  const recalled = (found: KnownKey | null) => ({
    recallKey: (asked: string) => (asked === secret ? found : undefined),
    findKey,
  });
  const sent = (found: KnownKey | null) =>
    authenticate(`bearer  ${secret}`, recalled(found), platform.sha256, 0);
  expect(sent(known)).toBe(known);
  expect(sent(null)).toMatchObject({ code: 'invalid_api_key' });
});
