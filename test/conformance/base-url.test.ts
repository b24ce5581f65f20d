import { expect, test } from 'bun:test';
import { parseBaseUrl } from '../../src/conformance/base-url.ts';
import { CannotRun } from '../../src/conformance/verdict.ts';

test.each([
  ['https://animals.example', 'https://animals.example/v1'],
  ['https://animals.example/', 'https://animals.example/v1'],
  ['https://animals.example/v1/', 'https://animals.example/v1'],
  ['http://[::1]:8080/shop/v1', 'http://[::1]:8080/shop/v1'],
  ['https://animals.example/api', 'https://animals.example/api'],
])('%s stands for %s', (text, baseUrl) => {
  expect(parseBaseUrl(text)).toBe(baseUrl);
});

test.each([
  'animals.example',
  'ftp://animals.example/v1',
  'https://user@animals.example/v1',
  'https://:secret@animals.example/v1',
  'https://animals.example/v1?limit=1',
  'https://animals.example/v1#pets',
])('%s is no base address', (text) => {
  expect(() => parseBaseUrl(text)).toThrow(CannotRun);
});
