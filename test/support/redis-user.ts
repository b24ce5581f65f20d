import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRedis } from './redis.ts';

const DOCUMENT = join(import.meta.dir, '../../docs/scaling.md');

/** The user and password of `createRedisUser`, for a URL. */
export const REDIS_USER = 'limiter:secret';

/** Creates a user with exactly the rights that docs/scaling.md prints. */
export async function createRedisUser(redis: TestRedis, kind: 'server' | 'cluster'): Promise<void> {
  const printed = readFileSync(DOCUMENT, 'utf8').matchAll(/`([~+][^`]+)`/g);
  const lists = Array.from(printed, ([, rules = '']) => rules.replaceAll('\\|', '|').split(' '));
  if (lists.length !== 2) throw new Error('docs/scaling.md must print two lists of rules');
  const rules = kind === 'server' ? lists[0] : lists.flat();
  await redis.send('ACL', 'SETUSER', 'limiter', 'reset', 'on', '>secret', ...(rules ?? []));
}
