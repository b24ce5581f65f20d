import { afterAll, describe, expect, test } from 'bun:test';
import type { OperatorError } from '../../src/domain/error.ts';
import { hashSlot } from '../../src/limiters/redis/cluster.ts';
import { newCaller, openRedisLimiter } from '../limiters/limiters.ts';
import { TestCluster } from '../limiters/redis-cluster.ts';
import { TestSentinels } from '../limiters/redis-sentinel.ts';
import { runJson, type ServedWithKey, serveWithKey } from '../support/command.ts';
import { newCertificate } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';
import { eventually, rejection } from '../support/time.ts';
import { FlakyProxy } from './flaky-proxy.ts';

/** Real services and Redis servers with a certificate of a private authority. */
const resources = new AsyncDisposableStack();
const certificate = newCertificate();
const redis = resources.use(await TestRedis.startTls(certificate));
const cluster = resources.use(await TestCluster.start(certificate));
const sentinels = resources.use(await TestSentinels.start(certificate));
afterAll(() => resources.disposeAsync());

const TLS_URL = `rediss://127.0.0.1:${redis.publicPort}`;

function serveWith(REDIS_URL: string): Promise<ServedWithKey> {
  return serveWithKey({ REDIS_URL, NODE_EXTRA_CA_CERTS: certificate.authorityFile, DEMO: 'off' });
}

describe('NODE_EXTRA_CA_CERTS makes the service trust', () => {
  test('a cluster, also a master that the service learns of from a redirection', async () => {
    await using service = await serveWith(cluster.url);
    const [account] = await runJson<{ id: number }[]>(service.settings, 'accounts list');
    const tag = `{account:${account?.id}}`;
    const owner = cluster.masters[cluster.indexOf(hashSlot(tag))];
    const other = cluster.masters.find((master) => master !== owner);
    const otherId = String(await other?.send('CLUSTER', 'MYID'));
    const ownerId = String(await owner?.send('CLUSTER', 'MYID'));
    // Makes its claim newer, so that the other nodes accept it.
    await other?.send('CLUSTER', 'SETSLOT', String(hashSlot(tag)), 'IMPORTING', ownerId);
    for (const node of [other, owner]) {
      await node?.send('CLUSTER', 'SETSLOT', String(hashSlot(tag)), 'NODE', otherId);
    }
    await eventually(async () => {
      expect((await service.get('/pets')).status).toBe(200);
      return String(await other?.send('KEYS', '*')).includes(tag);
    });
  });

  test('Sentinels, and their master', async () => {
    await using service = await serveWith(sentinels.url);
    await eventually(async () => {
      expect((await service.get('/pets')).status).toBe(200);
      return String(await sentinels.master.send('KEYS', '*')).includes('{account:');
    });
  });
});

test('a start fails with one line if the certificate is for another host', async () => {
  const error = await rejection(serveWith(TLS_URL.replace('127.0.0.1', 'localhost')));
  expect((error as Error).message).toMatch(
    /^The service exited with 1: Cannot use Redis at localhost:\d+: The certificate of Redis is for another host \(.*\)\.\n$/,
  );
});

test.each([
  ['a server', '', ''],
  ['Sentinels', '+sentinel', '/limits'],
])(
  'a start fails if the certificate of %s is not trusted, also if they are slow',
  async (_, kind, end) => {
    // The service connects a second time to learn why, which together takes longer than a second.
    await using proxy = await FlakyProxy.start(new URL(TLS_URL), { delayMs: () => 600 });
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
  ['only TLS works', `redis://127.0.0.1:${redis.publicPort}`, 'write rediss://'],
  ['TLS does not work', `rediss://127.0.0.1:${redis.port}`, 'write redis://'],
])('if %s, a warning says so, and limits are counted in process', async (_, url, advice) => {
  const warnings: string[] = [];
  const onAway = (error: unknown) => warnings.push((error as Error).message);
  await using opened = await openRedisLimiter({ url, onAway });
  expect(warnings[0]).toContain(advice);
  expect(await opened.limiter.take(newCaller(5, 5))).toHaveProperty('remaining', 4);
});
