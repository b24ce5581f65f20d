import { expect, test } from 'bun:test';
import {
  changedKeyFields,
  renewedExpiry,
  rotatedExpiry,
  stateForRequests,
} from '#domain/api-key.ts';
import { aKnownKey, anApiKey } from '../support/values.ts';

test('of several reasons, a key is refused because it is revoked, expired or suspended, in this order', () => {
  const all = aKnownKey({ revokedAtMs: 0, expiresAtMs: 5_000, accountSuspendedAtMs: 0 });
  expect(stateForRequests(all, 5_000)).toBe('revoked');
  const notRevoked = { ...all, revokedAtMs: null };
  expect(stateForRequests(notRevoked, 5_000)).toBe('expired');
  expect(stateForRequests(notRevoked, 4_999)).toBe('suspended');
});

test('a rotation never extends the old key, and the new key is valid for the same length of time', () => {
  expect(renewedExpiry(anApiKey({ createdAtMs: 1_000, expiresAtMs: 5_000 }), 3_000)).toBe(7_000);
  expect(rotatedExpiry(anApiKey({ expiresAtMs: 5_000 }), 1_000, 86_400_000)).toBe(5_000);
});

test('a key is rotated once, and a revoked key gets a new label, but no new expiry or successor', () => {
  expect(() => rotatedExpiry(anApiKey({ successorId: 7 }), 1, 0)).toThrow(
    'Key 1 was already rotated to key 7. Rotate that one.',
  );
  const revoked = anApiKey({ revokedAtMs: 1 });
  const message = 'Key 1 is revoked. Create a new key instead.';
  expect(() => rotatedExpiry(revoked, 2, 0)).toThrow(message);
  expect(() => changedKeyFields(revoked, { label: 'x', expiresAtMs: 3 })).toThrow(message);
  expect(changedKeyFields(revoked, { label: 'x' })).toEqual({ label: 'x', expiresAtMs: null });
});
