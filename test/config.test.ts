import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig, SETTING_NAMES } from '../src/config.ts';

describe('the configuration', () => {
  test('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      hostname: '127.0.0.1',
      port: 8080,
      operatorHostname: '127.0.0.1',
      operatorPort: 8081,
      databasePath: resolve('data/animal-store.db'),
      publicUrl: undefined,
      trustedProxies: 0,
      tlsFiles: undefined,
      logLevel: 'warn',
    });
  });

  test('an empty setting means its default', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' })).toEqual(readConfig({}));
  });

  test.each([
    ['sqlite:a.db', resolve('a.db')],
    ['sqlite:/var/a.db', '/var/a.db'],
    ['sqlite:///var/a.db', '/var/a.db'],
  ])('DATABASE_URL %s is the file %s', (url, path) => {
    expect(readConfig({ DATABASE_URL: url }).databasePath).toBe(path);
  });

  test.each([
    ['https://animals.example', 'https://animals.example'],
    ['https://animals.example/', 'https://animals.example'],
    ['https://animals.example/v1', 'https://animals.example'],
    ['https://animals.example/v1/', 'https://animals.example'],
    ['http://animals.example:8080/shop/', 'http://animals.example:8080/shop'],
  ])('PUBLIC_URL %s is the address %s', (given, publicUrl) => {
    expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(publicUrl);
  });

  test('every wrong setting has a line of its own', () => {
    expect(() => readConfig({ PORT: 'x', TRUSTED_PROXIES: 'y' })).toThrow(
      'PORT must be an integer from 0 to 65535, not "x".\n' +
        'TRUSTED_PROXIES must be an integer from 0 to 16, not "y".',
    );
  });

  test("the operator's manual explains every setting, and no others", () => {
    const manual = readFileSync('docs/operations.md', 'utf8');
    const explained = [...manual.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, name]) => name as string,
    );
    expect(explained.sort()).toEqual([...SETTING_NAMES].sort());
  });
});
