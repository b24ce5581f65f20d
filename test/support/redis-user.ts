import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRedis } from './redis.ts';

const DOCUMENT = join(import.meta.dir, '../../docs/scaling.md');

/** The user and password of `createRedisUser`, for a URL. */
export const REDIS_USER = 'limiter:secret';

/** The rights that docs/scaling.md prints for the user of REDIS_URL. */
function printedRules(kind: 'server' | 'cluster'): string[] {
  const printed = readFileSync(DOCUMENT, 'utf8').matchAll(/`([~+][^`]+)`/g);
  const [server, cluster, ...others] = Array.from(printed, ([, rules = '']) =>
    rules.replaceAll('\\|', '|').split(' '),
  );
  if (server === undefined || cluster === undefined || others.length > 0) {
    throw new Error('docs/scaling.md must print two lists of rules');
  }
  return kind === 'server' ? server : [...server, ...cluster];
}

/** Creates a user with exactly the rights that docs/scaling.md prints. */
export async function createRedisUser(redis: TestRedis, kind: 'server' | 'cluster'): Promise<void> {
  const rules = ['reset', 'on', '>secret', ...printedRules(kind)];
  await redis.send('ACL', 'SETUSER', 'limiter', ...rules);
}
