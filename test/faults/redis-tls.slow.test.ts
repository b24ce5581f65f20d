import { afterAll, expect, test } from 'bun:test';
import type { OperatorError } from '#domain/error.ts';
import { newCaller, openRedisLimiter } from '../limiters/limiters.ts';
import { type ServedWithKey, serveWithKey } from '../support/command.ts';
import { freePort, newCertificate } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';
import { eventually, rejection } from '../support/time.ts';
import { FlakyProxy } from './flaky-proxy.ts';

/** Real services, and a Redis server with a certificate of a private authority. */
const certificate = newCertificate();
const tlsPort = await freePort();
const redis = await TestRedis.start(
  '--tls-port',
  String(tlsPort),
  '--tls-auth-clients',
  'no',
  '--tls-cert-file',
  certificate.certificateFile,
  '--tls-key-file',
  certificate.keyFile,
  '--tls-ca-cert-file',
  certificate.authorityFile,
);
afterAll(() => redis[Symbol.asyncDispose]());

const TLS_URL = `rediss://127.0.0.1:${tlsPort}`;

function serveWith(REDIS_URL: string): Promise<ServedWithKey> {
  return serveWithKey({ REDIS_URL, NODE_EXTRA_CA_CERTS: certificate.authorityFile, DEMO: 'off' });
}

test('NODE_EXTRA_CA_CERTS makes the service trust a server', async () => {
  await using service = await serveWith(TLS_URL);
  await eventually(async () => {
    expect((await service.get('/pets')).status).toBe(200);
    return String(await redis.send('KEYS', '*')).includes('{account:');
  });
});

test('a start fails with one line if the certificate is for another host', async () => {
  const error = await rejection(serveWith(TLS_URL.replace('127.0.0.1', 'localhost')));
  expect((error as Error).message).toMatch(
    /Cannot use Redis at localhost:\d+: The certificate of Redis is for another host \(.*\)\."}\n$/,
  );
});

test.each([
  ['a server', '', ''],
  ['Sentinels', '+sentinel', '/limits'],
])(
  'a start fails if the certificate of %s is not trusted, also if they are slow',
  async (_, kind, end) => {
    // The service connects a second time to learn why, which together takes longer than a second.
    await using proxy = await FlakyProxy.start(TLS_URL, { delayMs: () => 600 });
    const url = proxy.url.replace('rediss:', `rediss${kind}:`) + end;
    const startError = async () => {
      try {
        await using _opened = await openRedisLimiter({ url });
        return '';
      } catch (error) {
        return (error as OperatorError).message;
      }
    };
    // On a busy machine, a response may come so late that Redis counts as away.
    await eventually(async () =>
      / is not trusted: .* set NODE_EXTRA_CA_CERTS /.test(await startError()),
    );
  },
);

test.each([
  ['only TLS works', `redis://127.0.0.1:${tlsPort}`, 'write rediss://'],
  ['TLS does not work', `rediss://127.0.0.1:${redis.port}`, 'write redis://'],
])('if %s, a warning says so, and limits are counted in process', async (_, url, advice) => {
  const warnings: string[] = [];
  const onAway = (error: unknown) => warnings.push((error as Error).message);
  await using opened = await openRedisLimiter({ url, onAway });
  expect(warnings[0]).toContain(advice);
  expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
});
