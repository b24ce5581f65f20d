import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, type OptionValues, readConfig as readGiven, SETTINGS } from '#config.ts';
import { platform } from '#platform.ts';
import { backendAt } from '#stores/backends.ts';
import { TEST_ORIGIN } from './support/store.ts';

const NO_HOST = 'must name each host, as in postgres://user@host,host/database.';
const PORTS = 'must have ports from 1 to 65535, and a percent-encoded user and password.';
const URL_RULE =
  'must be an http or https URL without a user, query or fragment, such as https://pets.example.';
const TOKEN_RULE =
  'must have 16 to 256 characters, which are letters, digits or ASCII punctuation.';

/** Ignores the environment of the tests. */
function readConfig(environment: Record<string, string>, options: OptionValues = {}) {
  return readGiven(options, environment);
}

function descriptionOf({ database }: Config): string {
  return backendAt({ ...database, ...platform, origin: TEST_ORIGIN }).description;
}

describe('the configuration', () => {
  test('has a default for a setting that is missing or empty', () => {
    for (const environment of [{}, { HOST: '', PORT: '', DATABASE_URL: '', PUBLIC_URL: '' }]) {
      const config = readConfig(environment);
      expect(config).toMatchObject({ HOST: '127.0.0.1', PORT: 8080, environment: 'production' });
      expect(descriptionOf(config)).toBe(resolve('data/animal-store.db'));
      expect(config.PUBLIC_URL).toBeUndefined();
    }
  });

  test.each([
    ['https://shop.example/v1/', 'https://shop.example'],
    ['http://shop.example:8080/pets/', 'http://shop.example:8080/pets'],
    // It is used in headers.
    ['https://例え.jp/ä b', 'https://xn--r8jz45g.jp/%C3%A4%20b'],
  ])('PUBLIC_URL %s means %s', (url, publicUrl) => {
    expect(readConfig({ PUBLIC_URL: url }).PUBLIC_URL).toBe(publicUrl);
  });

  test.each([
    ['sqlite:/var/a.db', '/var/a.db'],
    ['sqlite:///var/a.db', '/var/a.db'],
    ['postgres://u:a,b@host/db', 'postgres://u@host/db'],
    ['postgresql://db@db:1/db?prepare=false', 'postgresql://db@db:1/db'],
    [
      'postgres://u:a@b@h/db?target_session_attrs=primary&password=c',
      'postgres://u@h/db?target_session_attrs=primary',
    ],
    [
      'postgres://u:p%2Cq%40@a:5432,[::1]:1,[fe80::2]/db?target_session_attrs=primary',
      'postgres://u@a:5432,[::1]:1,[fe80::2]/db?target_session_attrs=read-write',
    ],
  ])('DATABASE_URL %s is shown as %s', (url, shown) => {
    expect(descriptionOf(readConfig({ DATABASE_URL: url }))).toBe(shown);
  });

  test.each([
    ...['ftp://shop.example', 'https://user:secret@shop.example', 'shop.example'].map(
      (url) => ['PUBLIC_URL', url, URL_RULE] as const,
    ),
    ['DATABASE_URL', 'postgres://u:a#b@db/x', 'must look like'],
    ['DATABASE_URL', 'sqlite::memory:', 'must look like'],
    ['REDIS_URL', 'redis:///0', 'must look like'],
    ['DATABASE_URL', 'mysql://user:secret@host/db', 'must look like'],
    ['DATABASE_URL', 'postgres://a,,b/x', NO_HOST],
    ['DATABASE_URL', 'postgres://u:p@:5432/x', NO_HOST],
    ['DATABASE_URL', 'postgres://db:99999/x', PORTS],
    ['DATABASE_URL', 'postgres://a:5432,b:0/x', PORTS],
    ['DATABASE_URL', 'postgres://u:%zz@db/x', PORTS],
    [
      'DATABASE_URL',
      'postgres://a,b/x?target_session_attrs=any',
      'must have target_session_attrs=read-write or primary, or leave it out.',
    ],
    ['OPERATOR_TOKEN', 'fifteen-letters', TOKEN_RULE],
    ['OPERATOR_TOKEN', 'with a space and more', TOKEN_RULE],
    ['OPERATOR_TOKEN', 'x'.repeat(257), TOKEN_RULE],
  ])('%s=%s is refused, and the error does not repeat it', (name, value, rule) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(`${name} ${rule}`);
    expect(read).not.toThrow(value);
    expect(read).not.toThrow('secret');
  });

  test('OPERATOR_ALLOWED_HOSTS is a list of names', () => {
    const config = readConfig({ OPERATOR_ALLOWED_HOSTS: 'a.example, B.example' });
    expect(config.OPERATOR_ALLOWED_HOSTS).toEqual(['a.example', 'b.example']);
    expect(() => readConfig({ OPERATOR_ALLOWED_HOSTS: 'https://a.example' })).toThrow(
      'OPERATOR_ALLOWED_HOSTS must be host names, separated by commas, not "https://a.example".',
    );
  });

  test('an option overrides the environment, and an error names the one that was used', () => {
    const environment = { PORT: '1', STORE_TIMEOUT_SECONDS: '7', DATABASE_URL: 'sqlite:a.db' };
    const config = readConfig(environment, { port: '2', database: 'sqlite:/b.db' });
    expect(config).toMatchObject({ PORT: 2, database: { timeoutMs: 7_000 } });
    expect(descriptionOf(config)).toBe('/b.db');
    expect(() => readConfig({ HOST: 'a b' }, { port: 'x', database: 'y' })).toThrow(
      'HOST must be a host name or an IP address, not "a b".\n' +
        '--port must be an integer from 0 to 65535, not "x".\n' +
        '--database must look like sqlite:data/animal-store.db or postgres://user@host,host/database.',
    );
  });

  test('docs/operations.md explains exactly the settings that exist, with their defaults', () => {
    const manual = readFileSync('docs/operations.md', 'utf8');
    const rows = [...manual.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+) \|$/gm)].map((row) => {
      const [name, defaultValue, meaning] = row.slice(1).map((cell) => cell.replaceAll('`', ''));
      return { name, defaultValue, meaning };
    });
    expect(rows).toEqual(SETTINGS.map((setting) => ({ ...setting })));
  });
});
