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
      database: expect.objectContaining({
        isEmbedded: true,
        description: resolve('data/animal-store.db'),
      }),
      redisUrl: undefined,
      instances: 1,
      drainSeconds: 0,
      publicUrl: undefined,
      stagingUrl: undefined,
      trustedProxies: 0,
      tlsFiles: undefined,
      logLevel: 'warn',
    });
  });

  test('an empty setting means its default', () => {
    const { database, ...empty } = readConfig({ PORT: '', DATABASE_URL: '', PUBLIC_URL: '' });
    const { database: other, ...defaults } = readConfig({});
    expect(empty).toEqual(defaults);
    expect(database.description).toBe(other.description);
  });

  test.each([
    ['sqlite:a.db', resolve('a.db')],
    ['sqlite:/var/a.db', '/var/a.db'],
    ['sqlite:///var/a.db', '/var/a.db'],
  ])('DATABASE_URL %s is the file %s', (url, path) => {
    expect(readConfig({ DATABASE_URL: url }).database.description).toBe(path);
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

  test.each([
    'ftp://animals.example',
    'https://user:secret@animals.example',
    'https://animals.example/?a=b',
    'https://animals.example/#top',
    'animals.example',
  ])('PUBLIC_URL %s is refused, and not repeated', (url) => {
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(
      'PUBLIC_URL must be an http or https URL without a user, query or fragment, ' +
        'such as https://pets.example.',
    );
  });

  test('PUBLIC_URL is written as headers can carry it', () => {
    const { publicUrl } = readConfig({ PUBLIC_URL: 'https://例え.jp/ä b' });
    expect(publicUrl).toBe('https://xn--r8jz45g.jp/%C3%A4%20b');
  });

  test.each([
    ['DATABASE_URL', 'postgres://db:99999/x'],
    ['DATABASE_URL', 'postgres://u:%zz@db/x'],
    ['DATABASE_URL', 'postgres://u:a#b@db/x'],
    ['REDIS_URL', 'redis://cache:99999'],
    ['REDIS_URL', 'http://cache'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must look like`);
  });

  test('a password in an address is not repeated', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:secret@host/db' })).toThrow(
      'DATABASE_URL must look like sqlite:data/animal-store.db or postgres://user@host/database.',
    );
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
