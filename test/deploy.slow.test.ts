import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#config.ts';
import { problem } from '#contract/errors.ts';
import { OPERATIONS } from '#contract/operations.ts';
import { commandLine, makeKey, run, type Serving, serve, serveWithKey } from './support/command.ts';
import { head, rawHttp } from './support/http.ts';
import {
  freePort,
  hasForwardSecrecy,
  newCertificate,
  requireProgram,
  runProgram,
} from './support/programs.ts';
import { sendRedis, spawnRedis } from './support/redis.ts';
import type { Settings } from './support/store.ts';
import { newFile, newFolder } from './support/temporary-folder.ts';
import { eventually, rejection, succeeds } from './support/time.ts';

const UNAVAILABLE = problem('service_unavailable').body;

const METHODS = Object.values(OPERATIONS).map(({ method }) => method);
const ALLOW = [...new Set(['GET', 'HEAD', ...METHODS, 'OPTIONS'])].join(', ');

/** A setting of the runtime. */
const DNS_LIFETIME = 'BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS';

const read = (path: string) => readFileSync(path, 'utf8');

test.each([
  ['Dockerfile', /^(?:ENV| {3}) ([A-Z_]+)=/gm],
  ['deploy/animal-store.service', /^Environment=([A-Z_]+)=/gm],
  ['deploy/compose.yaml', /^ {4}([A-Z_]+): /gm],
  ['deploy/compose-sqlite.yaml', /^ {6}(?!REPLICA|AWS)([A-Z_]+): /gm],
  ['deploy/kubernetes.yaml', /^ {12}- name: ([A-Z_]+)$/gm],
])('%s sets only settings that exist, and creates no demo account', (path, pattern) => {
  const names = [...read(path).matchAll(pattern)].map(([, name]) => name as string);
  expect(names).toContain('DEMO');
  const settings = [...SETTINGS.map(({ name }) => name), DNS_LIFETIME];
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
});

test.each(['bin/animal-store.js', 'Dockerfile', 'deploy/animal-store.service'])(
  '%s keeps the address of a server for a second, so that it follows a failover',
  (path) => {
    expect(read(path)).toMatch(new RegExp(`${DNS_LIFETIME}\\W+1\\b`));
  },
);

test.each([
  ['deploy/animal-store.service', /^TimeoutStopSec=(\d+)$/m],
  ['deploy/compose.yaml', /stop_grace_period: (\d+)s/],
  ['deploy/kubernetes.yaml', /terminationGracePeriodSeconds: (\d+)/],
])('%s gives the service the time that a stop may take', (path, pattern) => {
  const text = read(path);
  const [, exit] = /EXIT_SECONDS = ([\d.]+)/.exec(read('src/cli/serve.ts')) ?? [];
  const [, drain = '0'] = /DRAIN_SECONDS(?:|\s+value): "([\d.]+)"/.exec(text) ?? [];
  const allowed = Number(pattern.exec(text)?.[1]);
  expect(allowed).toBeGreaterThanOrEqual(Number(exit) + Number(drain));
});

test('the workflows of GitHub are valid, and run only actions of a fixed commit', () => {
  expect(runProgram(requireProgram('actionlint'))).toBe('');
  const used = ['ci', 'release'].flatMap((name) =>
    read(`.github/workflows/${name}.yml`).match(/uses: .*/g),
  );
  expect(used.filter((line) => !/@[\da-f]{40} # v\d/.test(line ?? ''))).toEqual([]);
});

describe('kubernetes.yaml', () => {
  const text = read('deploy/kubernetes.yaml');

  test.each(['1.27', '1.37'])('fulfils the schemas of Kubernetes %s', (version) => {
    const validate = [requireProgram('kubernetes-validate'), '--strict', '-k', version];
    const output = runProgram(...validate, 'deploy/kubernetes.yaml');
    expect(output.match(/ passed /g)).toHaveLength(text.split('\n---\n').length);
  });

  test('selects one set of pods, whose user and ports are those of the image', () => {
    expect([...new Set(text.match(/\bapp: [\w-]+/g))]).toHaveLength(1);
    const [, user] = /^USER (\d+)/m.exec(read('Dockerfile')) ?? [];
    expect(text).toContain(`runAsUser: ${user}\n`);
    const ports = [...text.matchAll(/- name: (\w+)\n +containerPort: (\d+)/g)];
    const used = text.match(/(?<=(?:\bport|targetPort): )[a-z]+/g) ?? [];
    expect(new Set(used)).toEqual(new Set(ports.map(([, name]) => name as string)));
    const defaults = ['PORT', 'OPERATOR_PORT'].map(
      (name) => SETTINGS.find((setting) => setting.name === name)?.defaultValue,
    );
    expect(ports.map(([, , port]) => port)).toEqual(defaults);
  });
});

describe('compose', () => {
  interface Part {
    command: string[];
    environment: Settings;
    volumes: string[];
    mem_limit?: string;
    pids_limit?: number;
  }

  function partsOf(path: string): Record<string, Part> {
    const text = read(path).replace(/\$\{\w+_PASSWORD:[^}]*\}/g, 'secret');
    return (Bun.YAML.parse(text) as { services: Record<string, Part> }).services;
  }

  test.each(['deploy/compose.yaml', 'deploy/compose-sqlite.yaml'])(
    '%s limits the memory and the processes of every part',
    (path) => {
      const unlimited = Object.entries(partsOf(path)).filter(
        ([, part]) => part.mem_limit === undefined || part.pids_limit === undefined,
      );
      expect(unlimited).toEqual([]);
    },
  );

  test('runs the version of Litestream that we attack', () => {
    const version = /litestream:([\d.]+)/.exec(read('deploy/compose-sqlite.yaml'))?.[1];
    for (const path of ['faults/litestream.ts', 'docs/operations.md']) {
      expect(read(path)).toContain(`litestream@v${version}`);
    }
  });

  test('lets only the instances count in Valkey', async () => {
    const services = partsOf('deploy/compose.yaml');
    const [, ...words] = services['valkey']?.command ?? [];
    const host = `127.0.0.1:${await freePort()}`;
    const url = services['store-1']?.environment['REDIS_URL']?.replace('valkey:6379', host) ?? '';
    await using resources = new AsyncDisposableStack();
    const valkey = spawnRedis([...words, '--port', new URL(url).port]);
    resources.defer(() => valkey.kill('SIGKILL'));
    await eventually(() => succeeds(sendRedis(url, 'PING')));
    expect(String(await rejection(sendRedis(`redis://${host}`, 'PING')))).toContain('NOAUTH');
    await resources.use(await serveWithKey({ REDIS_URL: url })).get('/pets');
    expect(await sendRedis(url, 'DBSIZE')).toBeGreaterThan(0);
  });
});

test('systemd accepts the units, and rates the exposure of the service below 2 of 10', async () => {
  const folder = newFolder();
  const analyze = requireProgram('systemd-analyze');
  const copy = async (name: string, path = join(folder, name)) => {
    // systemd requires that the program exists.
    const text = read(`deploy/${name}`).replaceAll(/\/usr\/local\/bin\/[\w-]+/g, process.execPath);
    await Bun.write(path, text);
    return path;
  };
  const unit = await copy('animal-store.service');
  const units = [
    unit,
    await copy('animal-store-backup.service'),
    await copy('animal-store-backup.timer'),
  ];
  const check = () => {
    expect(runProgram(analyze, 'verify', ...units)).toBe('');
    runProgram(analyze, 'security', '--offline=true', '--threshold=20', unit);
  };
  check();
  await copy('litestream.conf', `${unit}.d/litestream.conf`);
  check();
  expect(read('deploy/animal-store.service')).toContain('LimitCORE=0');
});

test('the service and Litestream start only after the log of the previous run was deleted', async () => {
  const { folder, path, settings } = newFile();
  await makeKey(settings, 'shop');
  const script = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o700 });
  script('animal-store', `exec ${commandLine().join(' ')} "$@"`);
  script('litestream', 'echo "$@"');
  const start = (file: string) =>
    Bun.spawnSync(['sh', 'deploy/litestream.sh'], {
      env: { PATH: `${folder}:${Bun.env['PATH']}`, DATABASE_URL: `sqlite:${file}` },
    });
  using other = new Database(path);
  other.run('CREATE TABLE another_program (id)');
  const killed = join(folder, 'killed.db');
  for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${killed}${suffix}`);

  const { exitCode, stderr } = start(path);
  expect([exitCode, String(stderr)]).toEqual([1, expect.stringContaining('Another program')]);
  expect(String(start(killed).stdout)).toBe('replicate -exec animal-store serve\n');
  expect(existsSync(`${killed}-wal`)).toBe(false);
  using moved = new Database(killed);
  expect(moved.query('SELECT count(*) FROM another_program').values()).toEqual([[0]]);
});

test('HAProxy accepts its configuration without a warning', () => {
  runProgram(requireProgram('haproxy'), '-dW', '-c', '-f', 'deploy/haproxy.cfg');
});

describe('two instances behind nginx', () => {
  const resources = new AsyncDisposableStack();
  const folder = newFolder();
  const tls = newCertificate();
  const instances = resources.use(new AsyncDisposableStack());
  let first: Serving;
  let httpPort: number;
  let origin: string;
  let caddy: string;

  beforeAll(async () => {
    httpPort = await freePort();
    const httpsPort = await freePort();
    origin = `https://127.0.0.1:${httpsPort}`;
    caddy = `http://127.0.0.1:${await freePort()}`;
    const PORT = String(await freePort());
    // Caddy checks the health of all instances on the same port.
    const OPERATOR_PORT = String(await freePort());
    const startProxy = async (url: string, words: string[], env = {}) => {
      resources.use(Bun.spawn(words, { env, stdout: 'ignore', stderr: 'ignore' }));
      await eventually(() => Bun.spawnSync(['curl', '-sk', url]).success);
    };
    const serveOn = (HOST: string, DATABASE_URL: string) =>
      serve({
        DATABASE_URL,
        HOST,
        PORT,
        OPERATOR_HOST: HOST,
        OPERATOR_PORT,
        PUBLIC_URL: 'https://pets.example',
        TRUSTED_PROXIES: '1',
        STAGING: 'on',
      });
    const DATABASE_URL = `sqlite:${folder}/store.db`;
    first = instances.use(await serveOn('127.0.0.1', DATABASE_URL));
    // Both instances know the same key.
    await run({ DATABASE_URL }, 'store backup', `${folder}/copy.db`);
    instances.use(await serveOn('127.0.0.2', `sqlite:${folder}/copy.db`));
    const site = read('deploy/nginx.conf')
      .replaceAll(/^.*listen \[::\].*$/gm, '')
      .replace('listen 80', `listen 127.0.0.1:${httpPort}`)
      .replace('listen 443', `listen 127.0.0.1:${httpsPort}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${PORT}`)
      .replace('# server 10.0.0.2:8080', `server 127.0.0.2:${PORT}`)
      .replace('addresses 100;', 'addresses 4;')
      .replaceAll('/var/log/nginx', folder)
      .replace(/\S+fullchain\.pem/, tls.certificateFile)
      .replace(/\S+privkey\.pem/, tls.keyFile);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    const main = join(folder, 'nginx.conf');
    writeFileSync(
      main,
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
       http { access_log off; ${temporary.join(' ')} ${site} }`,
    );
    const program = requireProgram('nginx');
    runProgram(program, '-t', '-q', '-c', main);
    await startProxy(origin, [program, '-c', main]);
    await startProxy(caddy, [requireProgram('caddy'), 'run', '--config', 'deploy/Caddyfile'], {
      HOME: folder,
      CADDY_ADMIN: `unix/${folder}/caddy`,
      ANIMAL_STORE_SITE: caddy,
      ANIMAL_STORE_OTHER_SITES: caddy.replace('127.0.0.1', ''),
      ANIMAL_STORE_INSTANCES: `127.0.0.1:${PORT} 127.0.0.2:${PORT}`,
      ANIMAL_STORE_OPERATOR_PORT: OPERATOR_PORT,
    });
  });
  afterAll(() => resources.disposeAsync());

  /** The response with its headers, as curl prints it. */
  function request(path: string, ...flags: string[]): string {
    return runProgram('curl', '-si', '--cacert', tls.authorityFile, ...flags, origin + path);
  }

  const withKey = (failure = '') => [
    '-H',
    `Authorization: Bearer ${first.started.demoKey}${failure}`,
  ];
  const body = (json: string) => ['-H', 'Content-Type: application/json', '--data-binary', json];

  test('the service responds over HTTP/2 and TLS with forward secrecy', () => {
    const created = request(
      '/v1/pets',
      ...withKey(),
      ...body('{"name":"Rex","categoryId":9223372036854775807}'),
    );
    expect(created).toStartWith('HTTP/2 201');
    expect(created).toContain('location: https://pets.example/v1/pets/1\r\n');
    expect(created).toContain('strict-transport-security: max-age=31536000');
    expect(created).toContain('"categoryId":9223372036854775807');
    expect(request('/v1/pets', ...withKey(), '--http1.1')).toStartWith('HTTP/1.1 200');
    expect(hasForwardSecrecy(origin)).toBe(true);
  });

  test('plain HTTP is redirected, and the log has no query', async () => {
    const redirect = runProgram('curl', '-si', `http://127.0.0.1:${httpPort}/v1/pets?limit=1`);
    expect(redirect).toContain('Location: https://127.0.0.1/v1/pets?limit=1');
    request('/v1/pets?limit=1');
    const log = () => read(join(folder, 'access.log'));
    await eventually(() => log().includes(' 401 '));
    expect(log()).not.toContain('limit');
  });

  test('a client cannot choose the address that its requests count against', () => {
    const remaining = (forged: string) => {
      const response = request('/v1/pets', '-H', `X-Forwarded-For: ${forged}`);
      return Number(/x-ratelimit-remaining: (\d+)/.exec(response)?.[1]);
    };
    const used = () => {
      const before = remaining('192.0.2.1');
      // This one goes to the other instance.
      remaining('192.0.2.1');
      return before - remaining('192.0.2.2, 192.0.2.3');
    };
    // A new minute may begin between two requests, but not twice in a row.
    expect([used(), used()]).toContain(1);
  });

  const chunked = ['-H', 'Transfer-Encoding: chunked', '--http1.1'];

  test.each([
    ['a length', [], '', 413],
    ['no length', chunked, '', 413],
    ['no length and no valid key', chunked, 'x', 401],
  ])('a large body with %s gets the response of the service', async (_, flags, failure, status) => {
    const file = join(folder, 'large.json');
    await Bun.write(file, 'x'.repeat(1_000_000));
    // If the service closed the connection while nginx is sending, one in three would be a 503 of nginx.
    for (let sent = 0; sent < 5; sent++) {
      const response = request('/v1/pets', ...withKey(failure), ...flags, ...body(`@${file}`));
      expect(response).toContain(` ${status}`);
      expect(response).toMatch(/x-ratelimit-remaining: \d+/i);
    }
  });

  /** Checks a response that a proxy made. A page of any origin can read it. */
  function expectError(response: string, status: number, ...lines: string[]): void {
    const [received = '', json = ''] = response.split('\r\n\r\n');
    expect(received).toMatch(new RegExp(`^HTTP/[12.]+ ${status}`));
    lines.push('Content-Type: application/json', 'Access-Control-Allow-Origin: *');
    for (const line of lines) expect(received.toLowerCase()).toContain(line.toLowerCase());
    const text = expect.any(String);
    expect(JSON.parse(json)).toEqual({ code: text, message: text, status });
  }

  function expectUnavailable(response: string): void {
    expectError(response, 503, 'Retry-After: 1');
    expect(response).toEndWith(UNAVAILABLE);
  }

  const long = 'x'.repeat(9_000);
  /** The malformed chunk follows a whole one. */
  const malformedChunk = () =>
    head(
      'POST /v1/pets HTTP/1.1',
      `Authorization: Bearer ${first.started.demoKey}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ).concat('2\r\n{}\r\nzz\r\n\r\n');

  test.each([
    ['what is not HTTP', 400, () => 'x\r\n\r\n'],
    ['a malformed chunk', 400, malformedChunk],
    ['its own path', 404, () => head('GET /animal-store-error HTTP/1.1', 'Connection: close')],
    ['a long URL', 414, () => head(`GET /${long} HTTP/1.1`)],
    ['long headers', 431, () => head('GET / HTTP/1.1', `X-Long: ${long}`)],
    ['an unknown encoding', 501, () => head('POST / HTTP/1.1', 'Transfer-Encoding: x')],
    ['another version of HTTP', 505, () => head('GET / HTTP/3.0')],
  ])('nginx refuses %s with %d and an Error object', async (_, status, make) => {
    expectError(await rawHttp(origin, [make()]), status);
  });

  test('nginx refuses HTTP on the port of TLS with an Error object', async () => {
    const response = await rawHttp(origin.replace('https', 'http'), [head('GET / HTTP/1.1')]);
    expectError(response, 400);
  });

  test('nginx refuses too many connections of an address with the 503 of the API', async () => {
    await using slow = new AsyncDisposableStack();
    let response = '';
    await eventually(() => {
      const words = ['curl', '-sk', ...withKey('~slow-10s'), `${origin}/v1/pets`];
      slow.use(Bun.spawn(words, { stdout: 'ignore' }));
      response = request('/docs/icon.svg');
      return !response.startsWith('HTTP/2 200');
    });
    expectUnavailable(response);
    await slow.disposeAsync();
    await eventually(() => request('/docs/icon.svg').startsWith('HTTP/2 200'));
  });

  test('Caddy refuses a malformed chunk and another host with an Error object', async () => {
    expectError(await rawHttp(caddy, [malformedChunk().replace('localhost', '127.0.0.1')]), 400);
    expectError(runProgram('curl', '-si', '-H', 'Host: other.example', `${caddy}/v1/pets`), 421);
  });

  test('an unknown method is 405, and a lost response takes no instance out of rotation, also behind Caddy', () => {
    for (const url of [origin, caddy]) {
      const send = (method: string, failure?: string) =>
        runProgram('curl', '-sikX', method, '--http1.1', ...withKey(failure), `${url}/v1/pets`);
      for (const method of ['DEBUG', 'TRACE']) {
        expectError(send(method), 405, `Allow: ${ALLOW}`);
      }
      expect(send('PUT')).toContain('This path supports only');
      expectUnavailable(send('GET', '~drop'));
      for (let i = 0; i < 4; i++) expect(send('GET')).toStartWith('HTTP/1.1 200');
    }
  });

  test('a service that cannot be reached is the 503 of the API', async () => {
    await instances.disposeAsync();
    expectUnavailable(request('/v1/pets', ...withKey()));
  });
});
