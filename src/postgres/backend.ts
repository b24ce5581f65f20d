import { SQL } from 'bun';
import type { BackendKind, Store } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { revisionByTime } from '../domain/revision.ts';
import { isServerUrl } from '../domain/server-url.ts';
import { NO_JOURNAL } from '../domain/usage-journal.ts';
import { PostgresAccountStore } from './account-store.ts';
import { backupAdvice, restoreAdvice } from './backup-advice.ts';
import { PostgresOperatorPets } from './operator-pets.ts';
import { PostgresPetStore } from './pet-store.ts';
import { openPool } from './pool.ts';
import { exportPostgres, importIntoPostgres } from './transfer.ts';

const URL_PATTERN = /^postgres(ql)?:\/\/./;

/** A revocation must hold within a second, so keys are cached for half of one. */
const CACHED_MS = 500;

export const postgres: BackendKind = {
  example: 'postgres://user@host/database',
  at(url, { connections }) {
    if (!isServerUrl(url, URL_PATTERN)) return undefined;
    return {
      isEmbedded: false,
      description: withoutCredentials(url),
      openStore: (now) => openStore(url, connections, now),
      async openForCommand() {
        const pool = await openPool(url, 1);
        return {
          accounts: new PostgresAccountStore(pool),
          openPets: () => new PostgresOperatorPets(pool),
          openUsage: () => undefined,
          [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
        };
      },
      openExport: () => exportPostgres(url),
      importAll: (records, lastPetId) => importIntoPostgres(url, records, lastPetId),
      async backup(file) {
        throw new OperatorError(backupAdvice(url, file));
      },
      async restore(file) {
        throw new OperatorError(restoreAdvice(url, file));
      },
    };
  },
  explain: (error) =>
    error instanceof SQL.PostgresError ? `PostgreSQL cannot be used: ${error.message}.` : undefined,
};

async function openStore(url: string, connections: number, now: () => number): Promise<Store> {
  const pool = await openPool(url, connections);
  return {
    pets: new PostgresPetStore(pool),
    accounts: new PostgresAccountStore(pool),
    revision: revisionByTime(now, CACHED_MS),
    journal: NO_JOURNAL,
    isAlive: () => true,
    async isReady() {
      await pool.ask((sql) => sql`SELECT 1`);
      return true;
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
