import { expect, test } from 'bun:test';
import { parseBaseUrl } from '../../src/conformance/base-url.ts';
import { CannotRun } from '../../src/conformance/check-error.ts';

test.each([
  ['https://pets.example', 'https://pets.example/v1'],
  ['https://pets.example/', 'https://pets.example/v1'],
  ['https://pets.example/v1/', 'https://pets.example/v1'],
  ['http://[::1]:8080/shop/v1', 'http://[::1]:8080/shop/v1'],
  ['https://pets.example/api', 'https://pets.example/api'],
])('%s becomes %s', (text, baseUrl) => {
  expect(parseBaseUrl(text)).toBe(baseUrl);
});

test.each([
  'pets.example',
  'ftp://pets.example/v1',
  'https://user@pets.example/v1',
  'https://:secret@pets.example/v1',
  'https://pets.example/v1?limit=1',
  'https://pets.example/v1#pets',
])('%s is not a base address', (text) => {
  expect(() => parseBaseUrl(text)).toThrow(CannotRun);
});
