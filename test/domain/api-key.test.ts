import { expect, test } from 'bun:test';
import { renewedExpiry, rotatedExpiry } from '../../src/domain/api-key.ts';
import { anApiKey } from '../support/values.ts';

test('a rotation never extends the old key, and renews it for its whole lifetime', () => {
  expect(renewedExpiry(anApiKey({ createdAtMs: 1_000, expiresAtMs: 5_000 }), 3_000)).toBe(7_000);
  expect(rotatedExpiry(anApiKey({ expiresAtMs: 5_000 }), 1_000, 86_400_000)).toBe(5_000);
});
