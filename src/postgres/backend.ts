import { SQL } from 'bun';
import type { BackendKind, Store } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { revisionByTime } from '../domain/revision.ts';
import { isServerUrl } from '../domain/server-url.ts';
import { NO_JOURNAL } from '../domain/usage-journal.ts';
import { PostgresAccountStore } from './account-store.ts';
import { backupAdvice, restoreAdvice } from './backup-advice.ts';
import { PostgresBrownoutStore } from './brownout-store.ts';
import { type OpenOptions, openExistingPool, openPool } from './open-pool.ts';
import { PostgresOperatorPets } from './operator-pets.ts';
import { PostgresPetStore } from './pet-store.ts';
import { exportPostgres, importIntoPostgres } from './transfer.ts';

const URL_PATTERN = /^postgres(ql)?:\/\/./;

/** A revocation must hold within a second, so keys are cached for half of one. */
const CACHED_MS = 500;

export const postgres: BackendKind = {
  example: 'postgres://user@host/database',
  at(url, options) {
    if (!isServerUrl(url, URL_PATTERN)) return undefined;
    const description = withoutCredentials(url);
    const shownUrl = withoutPassword(url);
    const forCommand = { ...options, connections: 1 };
    return {
      isEmbedded: false,
      description,
      url: shownUrl,
      files: [],
      openStore: (now) => openStore(url, options, now),
      async openForCommand() {
        const pool = await openExistingPool(url, forCommand);
        return {
          description,
          accounts: new PostgresAccountStore(pool),
          openPets: () => new PostgresOperatorPets(pool),
          openUsage: () => undefined,
          brownouts: new PostgresBrownoutStore(pool),
          [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
        };
      },
      openExport: () => exportPostgres(url, forCommand),
      importAll: (records, lastPetId) => importIntoPostgres(url, forCommand, records, lastPetId),
      async backup(file) {
        throw new OperatorError(backupAdvice(shownUrl, file));
      },
      async restore(file) {
        throw new OperatorError(restoreAdvice(shownUrl, file));
      },
    };
  },
  explain: (error) =>
    error instanceof SQL.PostgresError ? `PostgreSQL cannot be used: ${error.message}.` : undefined,
};

async function openStore(url: string, options: OpenOptions, now: () => number): Promise<Store> {
  const pool = await openPool(url, options);
  return {
    pets: new PostgresPetStore(pool),
    accounts: new PostgresAccountStore(pool),
    revision: revisionByTime(now, CACHED_MS),
    journal: NO_JOURNAL,
    brownouts: new PostgresBrownoutStore(pool),
    isAlive: () => true,
    isReady: () => pool.isWritable(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function withoutCredentials(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}
