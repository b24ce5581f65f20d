import { join } from 'node:path';
import type { Command } from './server.ts';

/** The command of Animal Store in a checkout. */
export function mainOf(checkout: string): string {
  return join(checkout, 'src/main.ts');
}

/** Starts Animal Store the way an operator does, with settings only. */
export function animalStore(
  checkout: string,
  port: number,
  databaseUrl: string,
  redisUrl?: string,
): Command {
  return {
    words: [process.execPath, mainOf(checkout), 'serve'],
    settings: {
      PORT: String(port),
      OPERATOR_PORT: '0',
      DATABASE_URL: databaseUrl,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      // Requests without a valid key count against the address that the load sends.
      TRUSTED_PROXIES: '1',
    },
  };
}
