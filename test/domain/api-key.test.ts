import { expect, test } from 'bun:test';
import { rotation } from '../../src/domain/api-key.ts';
import { anApiKey } from '../support/api-key.ts';

test('a rotation never extends the old key', () => {
  expect(rotation(anApiKey({ expiresAtMs: 5_000 }), 1_000, 86_400_000).oldExpiresAtMs).toBe(5_000);
});
