import { describe, expect, test } from 'bun:test';
import { parseRedisUrl } from '#limiters/redis/redis-url.ts';

describe('REDIS_URL', () => {
  test('can name one server', () => {
    expect(parseRedisUrl('rediss://u:p@cache:6380/3')).toMatchObject({
      kind: 'server',
      urls: ['rediss://u:p@cache:6380/3'],
    });
  });

  test('can name nodes of a cluster, which share the user, the password and TLS', () => {
    const address = parseRedisUrl('rediss+cluster://u:p%40@one:7000,two,[::1]:7002');
    expect(address).toMatchObject({
      kind: 'cluster',
      urls: ['rediss://u:p%40@one:7000', 'rediss://u:p%40@two', 'rediss://u:p%40@[::1]:7002'],
    });
    expect(address?.urlOf('::1', 7003)).toBe('rediss://u:p%40@[::1]:7003/');
  });

  test('can name Sentinels and their master, with passwords of both, TLS and a database', () => {
    const text = 'rediss+sentinel://:p@one,two:5000/limits/2?sentinelPassword=a%2Fb';
    const address = parseRedisUrl(text);
    expect(address).toMatchObject({
      kind: 'sentinel',
      urls: ['rediss://:a%2Fb@one:26379', 'rediss://:a%2Fb@two:5000'],
      masterName: 'limits',
    });
    expect(address?.urlOf('10.0.0.1', 6379)).toBe('rediss://:p@10.0.0.1:6379/2');
  });

  test.each([
    'redis+cluster://one/1',
    'redis+sentinel://one',
    'redis+sentinel://u:%zz@one/limits',
    'http://one',
  ])('%s is refused', (text) => {
    expect(parseRedisUrl(text)).toBeUndefined();
  });
});
