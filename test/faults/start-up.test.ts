import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import {
  commandLine,
  makeKey,
  run,
  runJson,
  runLine,
  type Settings,
  serve,
} from '../support/command.ts';
import { damageFile } from '../support/damage-file.ts';
import { createStore, openStore } from '../support/open-store.ts';
import { requireProgram, WITHOUT_RIGHTS } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The error of a start that fails: one line, no stack trace, exit code 1. */
async function startError(settings: Settings): Promise<string> {
  using folder = temporaryFolder();
  const defaults = {
    DATABASE_URL: `sqlite:${join(folder.path, 'unused.db')}`,
    PORT: '0',
    OPERATOR_PORT: '0',
  };
  const { exitCode, stdout, stderr } = await run({ ...defaults, ...settings }, 'serve');
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr.trimEnd();
}

describe('a start fails with one line', () => {
  test('if a port is in use, naming the setting to change', async () => {
    using folder = temporaryFolder();
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const port = String(other.port);
    const base = { DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}` };
    expect(await startError({ ...base, PORT: port, OPERATOR_PORT: '0' })).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.`,
    );
    expect(await startError({ ...base, PORT: '0', OPERATOR_PORT: port })).toBe(
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set OPERATOR_PORT to another port.`,
    );
    await using service = await serve(base);
    expect(service.started.demoKey).toStartWith('ask_');
  });

  test('if another Animal Store uses the port', async () => {
    using folder = temporaryFolder();
    await using first = await serve({ DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}` });
    const { port } = new URL(first.started.listening);
    const { port: operatorPort } = new URL(first.started.operator);
    const base = { DATABASE_URL: `sqlite:${join(folder.path, 'b.db')}` };
    expect(await startError({ ...base, PORT: port, OPERATOR_PORT: '0' })).toContain('is in use');
    expect(await startError({ ...base, PORT: '0', OPERATOR_PORT: operatorPort })).toContain(
      'is in use',
    );
  });

  test('if the host is not an address of this machine', async () => {
    using folder = temporaryFolder();
    const base = {
      DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}`,
      PORT: '0',
      OPERATOR_PORT: '0',
    };
    for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
      expect(await startError({ ...base, HOST: host })).toBe(
        'HOST must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them, ' +
          `not "${host}".`,
      );
    }
  });

  test('if the folder cannot be created', async () => {
    const message = await startError({ DATABASE_URL: 'sqlite:/proc/animal-store/a.db' });
    expect(message).toStartWith('Cannot open the data file /proc/animal-store/a.db:');
    expect(message).toEndWith('Name another file with --database or DATABASE_URL.');
  });

  test('if this user may not use the port, the folder or the certificate', async () => {
    using folder = temporaryFolder();
    const locked = join(folder.path, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    const key = join(folder.path, 'key.pem');
    await Bun.write(key, '');
    chmodSync(key, 0);
    const start = async (settings: Settings, ...options: string[]) => {
      const line = [...WITHOUT_RIGHTS, ...commandLine('serve', ...options)];
      const { stderr, exitCode } = await runLine(line, { OPERATOR_PORT: '0', ...settings });
      expect(exitCode).toBe(1);
      return stderr.trimEnd();
    };
    const DATABASE_URL = `sqlite:${join(folder.path, 'a.db')}`;
    const advice =
      'Run this as the user of the service, who must be able to write the file and its folder, ' +
      'or name another file with --database or DATABASE_URL.';
    expect(await start({ DATABASE_URL, PORT: '1023' })).toBe(
      'No permission to listen on port 1023. Set PORT to 1024 or higher, or give the process the ' +
        'capability CAP_NET_BIND_SERVICE.',
    );
    expect(await start({ DATABASE_URL }, '--port', '1023')).toContain('Set --port to 1024');
    const file = join(locked, 'a.db');
    expect(await start({ DATABASE_URL: `sqlite:${file}` })).toBe(
      `Cannot open the data file ${file}: EACCES: permission denied, access '${locked}'. ${advice}`,
    );
    expect(await start({}, '--database', `sqlite:${locked}/new/a.db`)).toEndWith(advice);
    expect(await start({ DATABASE_URL, TLS_CERT_FILE: key, TLS_KEY_FILE: key })).toBe(
      `TLS_CERT_FILE cannot be read: EACCES: permission denied, open '${key}'. ` +
        'It must name a PEM file that the user of the service can read.',
    );
  });

  test('if the file is not a database', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'notes.txt');
    await Bun.write(path, 'Rex likes walks. '.repeat(100));
    expect(await startError({ DATABASE_URL: `sqlite:${path}` })).toBe(
      `Cannot open the data file ${path}: file is not a database. ` +
        'It is not an Animal Store file. Name another file with --database or DATABASE_URL.',
    );
  });

  test('if the file is damaged', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    await (await openStore(`sqlite:${path}`))[Symbol.asyncDispose]();
    truncateSync(path, 4096);
    const error = await startError({ DATABASE_URL: `sqlite:${path}` });
    expect(error).toBe(
      `Cannot open the data file ${path}: database disk image is malformed. ` +
        'It is damaged. Restore a backup, or name another file with --database or DATABASE_URL.',
    );
  });

  test.each([
    ['its schema', 'open', 100],
    ['its tables', 'read', 4_096],
  ])(
    'if the counts file is damaged (%s), without advice to restore a backup',
    async (_, verb, from) => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'store.db');
      await createStore(`sqlite:${path}`);
      damageFile(`${path}-usage`, from);
      expect(await startError({ DATABASE_URL: `sqlite:${path}` })).toStartWith(
        `Cannot ${verb} the counts file ${path}-usage: database disk image is malformed. It is damaged. ` +
          'Stop the service, and delete the file or move it away: ' +
          'that loses at most the counts and bans of today.',
      );
    },
  );

  test('if the file belongs to another program', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'other.db');
    for (const version of [0, 1]) {
      const other = new Database(path);
      other.run('CREATE TABLE IF NOT EXISTS notes (text)');
      other.run(`PRAGMA user_version = ${version}`);
      other.close();
      expect(await startError({ DATABASE_URL: `sqlite:${path}` })).toBe(
        `${path} belongs to another program. Name another file with --database or DATABASE_URL.`,
      );
    }
  });

  test.each([
    ['the data file is emptied', '-usage'],
    ['the data file is gone', '-usage'],
    ['the data file is emptied', '-wal'],
    ['the data file is gone', '-wal'],
  ])('if %s, but its %s file is there', async (loss, rest) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    await createStore(`sqlite:${path}`);
    rmSync(`${path}-usage`);
    await Bun.write(`${path}${rest}`, 'x');
    if (loss.endsWith('gone')) rmSync(path);
    else truncateSync(path);
    expect(await startError({ DATABASE_URL: `sqlite:${path}` })).toBe(
      `The data file ${path} is missing or empty, but ${path}${rest} shows that there was a store. ` +
        `Put the file back or restore a backup. To begin a new store instead, delete ${path}${rest}.`,
    );
  });

  test('if another program locks the data file on the first start', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    const settings = { DATABASE_URL: `sqlite:${path}`, PORT: '0', OPERATOR_PORT: '0' };
    await createStore(settings.DATABASE_URL);
    const other = new Database(path);
    other.run('BEGIN IMMEDIATE');
    expect(await startError(settings)).toBe(
      `The data file cannot be used: database is locked. Store: ${path}`,
    );
    other.close();
  });

  test('if the lock file cannot be created', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    mkdirSync(`${path}-serving`);
    expect(await startError({ DATABASE_URL: `sqlite:${path}` })).toStartWith(
      `Cannot lock ${path}-serving: `,
    );
  });

  test('if another service is serving the file', async () => {
    using folder = temporaryFolder();
    const settings = {
      DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}`,
      PORT: '0',
      OPERATOR_PORT: '0',
    };
    await using _first = await serve(settings);
    expect(await startError(settings)).toStartWith('Another animal-store is serving');
  });

  test('if the certificate does not exist', async () => {
    const missing = { TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: '/nowhere/key.pem' };
    expect(await startError(missing)).toStartWith('TLS_CERT_FILE cannot be read: ');
  });

  test('if the certificate is not valid', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'cert.pem');
    await Bun.write(path, 'not a certificate');
    const message = await startError({ TLS_CERT_FILE: path, TLS_KEY_FILE: path });
    expect(message).toStartWith(
      'TLS_CERT_FILE and TLS_KEY_FILE are not a certificate and its key: ',
    );
  });

  test.each([
    ['PORT', 'abc', 'PORT must be an integer from 0 to 65535, not "abc".'],
    ['PORT', '65536', 'PORT must be an integer from 0 to 65535, not "65536".'],
    ['OPERATOR_PORT', '-1', 'OPERATOR_PORT must be an integer from 0 to 65535, not "-1".'],
    ['HOST', 'a b', 'HOST must be a host name or an IP address, not "a b".'],
    ['TRUSTED_PROXIES', '17', 'TRUSTED_PROXIES must be an integer from 0 to 16, not "17".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of silent, error, warn, info, debug, not "loud".'],
    ['TLS_KEY_FILE', 'x', 'TLS_CERT_FILE and TLS_KEY_FILE must be set together.'],
    [
      'DATABASE_URL',
      'mysql://x',
      'DATABASE_URL must look like sqlite:data/animal-store.db or postgres://user@host/database.',
    ],
    [
      'DATABASE_URL',
      'sqlite::memory:',
      'DATABASE_URL must look like sqlite:data/animal-store.db or postgres://user@host/database.',
    ],
  ])('if %s=%s', async (name, value, message) => {
    expect(await startError({ [name]: value })).toBe(message);
  });
});

describe('the first start', () => {
  test('creates a demo account, and shows its key and a curl line that works', async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'new', 'a.db')}` };
    const child = Bun.spawn(commandLine('serve'), {
      env: { PATH: Bun.env['PATH'] ?? '', PORT: '0', OPERATOR_PORT: '0', ...settings },
      stdout: 'pipe',
    });
    let shown = '';
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      shown += decoder.decode(chunk);
      if (/^ +curl .*\n/m.test(shown)) break;
    }
    const [curl = ''] = /curl .*/.exec(shown) ?? [];
    const output = Bun.spawnSync(['sh', '-c', `${curl} --silent --include`]).stdout.toString();
    child.kill();
    await child.exited;
    expect(output).toContain('HTTP/1.1 201 Created');
    expect(output).toContain('"name":"Rex"');
    expect(shown).toContain(`data       ${join(folder.path, 'new', 'a.db')}`);
  });

  test('is the only start that shows the key', async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}` };
    {
      await using first = await serve(settings);
      expect(first.started.demoKey).toStartWith('ask_');
      first.kill('SIGTERM');
      await first.exited;
    }
    await using second = await serve(settings);
    expect(second.stdout()).not.toContain('ask_');
    const accounts = await runJson<{ name: string; plan: string }[]>(settings, 'accounts', 'list');
    expect(accounts).toMatchObject([{ name: 'demo', plan: 'free' }]);
  });

  test('creates no demo account if an account exists', async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}` };
    await makeKey(settings, 'mine', 'pro');
    await using service = await serve(settings);
    expect(service.started.demoKey).toBeUndefined();
  });
});

describe('a first start without a demo account', () => {
  async function firstStart(settings: Settings) {
    using folder = temporaryFolder();
    const DATABASE_URL = `sqlite:${join(folder.path, 'a b.db')}`;
    await using service = await serve({ DATABASE_URL, ...settings });
    const accounts = await runJson<object[]>({ DATABASE_URL }, 'accounts', 'list');
    return { ...service.started, accounts };
  }

  test.each<[string, Settings]>([
    ['DEMO is off', { DEMO: 'off' }],
    ['other machines can reach the service', { HOST: '0.0.0.0' }],
  ])('if %s, names the command that creates one', async (_, settings) => {
    const { demoKey, next, accounts } = await firstStart(settings);
    expect([demoKey, accounts]).toEqual([undefined, []]);
    expect(next).toContain('"accounts create"');
  });

  test('if the store has pets, it is not new', async () => {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}` };
    {
      await using store = await openStore(settings.DATABASE_URL);
      await store.pets.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    }
    await using service = await serve(settings);
    expect(service.started.demoKey).toBeUndefined();
  });
});

describe('the lines of a start', () => {
  test.each<[Settings, RegExp]>([
    [{}, /^http:\/\/127\.0\.0\.1:\d+$/],
    [{ PUBLIC_URL: 'https://pets.example' }, /^http:\/\/127\.0\.0\.1:\d+$/],
    [{ HOST: '0.0.0.0' }, /^http:\/\/localhost:\d+, on every address of this machine$/],
  ])('with %p say where the service listens', async (settings, expected) => {
    using folder = temporaryFolder();
    const base = { DATABASE_URL: `sqlite:${join(folder.path, 'a.db')}`, DEMO: 'off' };
    const child = Bun.spawn(commandLine('serve', '--port', '0'), {
      env: { PATH: Bun.env['PATH'] ?? '', OPERATOR_PORT: '0', ...base, ...settings },
      stdout: 'pipe',
    });
    let shown = '';
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      shown += decoder.decode(chunk);
      if (shown.includes('accounts create')) break;
    }
    child.kill();
    await child.exited;
    expect(shown).toMatch(/^ {2}console {4}http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/m);
    const [, listening] = /^ {2}listening {2}(.*)$/m.exec(shown) ?? [];
    expect(listening).toMatch(expected);
  });
});

describe('listening beyond loopback', () => {
  const PUBLIC = { PUBLIC_URL: 'https://animals.example' };
  const settingsIn = (path: string) => ({ DATABASE_URL: `sqlite:${join(path, 'a.db')}` });

  test('warns about missing TLS and about a missing PUBLIC_URL', async () => {
    using folder = temporaryFolder();
    await using service = await serve({ ...settingsIn(folder.path), HOST: '0.0.0.0' });
    expect(service.started.warnings).toMatchObject([
      expect.stringContaining('API keys travel unencrypted'),
      expect.stringContaining('Set PUBLIC_URL'),
    ]);
    expect(service.started.api).toStartWith('http://localhost:');
  });

  test('does not warn behind a trusted proxy', async () => {
    using folder = temporaryFolder();
    const settings = {
      ...settingsIn(folder.path),
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '1',
      ...PUBLIC,
    };
    await using service = await serve(settings);
    expect(service.started.warnings).toEqual([]);
  });

  test('serves HTTPS with a certificate, and does not warn', async () => {
    using folder = temporaryFolder();
    const cert = join(folder.path, 'cert.pem');
    const key = join(folder.path, 'key.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
    Bun.spawnSync([requireProgram('openssl'), ...make, ...subject], { stderr: 'ignore' });
    const tls = { HOST: '0.0.0.0', TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...PUBLIC };
    await using service = await serve({ ...settingsIn(folder.path), ...tls });
    expect(service.started.warnings).toEqual([]);
    expect(service.started.api).toBe('https://animals.example/v1');
    const ca = await Bun.file(cert).text();
    const { port } = new URL(service.started.listening);
    const response = await fetch(`https://localhost:${port}/v1/pets`, { tls: { ca } });
    expect(response.status).toBe(401);
  });
});
