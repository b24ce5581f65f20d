import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies } from '../package.json' with { type: 'json' };
import type { Command, Contender, Place } from './contender.ts';
import { LARGE, SMALL, secretOf } from './fixture.ts';
import { benchNode } from './load.ts';
import { nginxConfiguration } from './nginx-configuration.ts';
import type { Topic } from './questions.ts';
import type { WorkloadName } from './workloads.ts';

const ROOT = join(import.meta.dir, '../..');
const SCRIPTS = join(import.meta.dir, '../contenders');
const MAIN = join(ROOT, 'src/main.ts');
const PRISM = join(import.meta.dir, '../node_modules/.bin/prism');

const READS = ['getPet', 'listPets20', 'listPets100', 'listSold20'] as const;
const REFUSALS = ['unauthorized', 'overLimit'] as const;
const WHOLE: readonly WorkloadName[] = [...READS, ...REFUSALS, 'mix', 'createPet'];
const EVERYTHING: readonly Topic[] = ['getPet', 'listPets', 'createPet', 'keys', 'errors'];

const IN_MEMORY = 'keys in a Map by their SHA-256';
const ON_SQLITE = 'SQLite, a synced commit for each animal';

function animalStore({ port, databaseFile, shared }: Place): Command {
  const { postgresUrl = `sqlite:${databaseFile}`, redisUrl } = shared ?? {};
  return {
    words: [process.execPath, MAIN, 'serve'],
    settings: {
      PORT: String(port),
      OPERATOR_PORT: '0',
      DATABASE_URL: postgresUrl,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      // Requests without a key count for the address that the load names, which has many.
      TRUSTED_PROXIES: '1',
    },
  };
}

function script(runtime: string, file: string): (place: Place) => Command {
  return ({ folder, port, databaseFile, answer, shared }) => {
    const answerFile = join(folder, 'answer.json');
    writeFileSync(answerFile, JSON.stringify(answer));
    return {
      words: [runtime, join(SCRIPTS, file)],
      settings: {
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_FILE: databaseFile,
        ANSWER_FILE: answerFile,
        ...(shared && { DATABASE_URL: shared.postgresUrl, REDIS_URL: shared.redisUrl }),
      },
    };
  };
}

/** Prism serves the paths as they stand in the document, and not below the server's address. */
function documentWithPrefix(): string {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const paths = Object.entries(document.paths).map(([path, item]) => [`/v1${path}`, item]);
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
}

const bunScript = (file: string) => script(process.execPath, file);
const nodeScript = (file: string) => script(benchNode(), file);

export const OURS = 'animal-store';
export const OURS_LARGE = 'animal-store-large';
export const OURS_SHARED = 'animal-store-postgres';

export function isOurs({ name }: Contender): boolean {
  return [OURS, OURS_LARGE, OURS_SHARED].includes(name);
}

export const CONTENDERS: readonly Contender[] = [
  {
    name: OURS,
    title: 'Animal Store',
    setup:
      'keys and animals in SQLite, remembered until something changes, two windows and bans, group commit',
    fixture: SMALL,
    workloads: [...WHOLE, 'banned', 'createPetOnce'],
    topics: EVERYTHING,
    isQuick: true,
    command: animalStore,
  },
  {
    name: 'ceiling',
    title: 'Ceiling: Bun.serve, a constant',
    setup: 'no key, no limit, no store: the bytes and headers of our getPet',
    fixture: SMALL,
    workloads: ['getPet'],
    topics: ['answer'],
    isQuick: true,
    command: bunScript('ceiling.js'),
  },
  {
    name: 'by-hand',
    title: 'By hand: Bun.serve, one function',
    setup: 'the least there can be: keys, one window and animals in Maps, nothing checked again',
    fixture: SMALL,
    workloads: ['getPet'],
    topics: ['getPet', 'keys'],
    isQuick: true,
    command: bunScript('by-hand.js'),
  },
  {
    name: 'nginx',
    title: 'nginx, return 200',
    setup: 'a map of one key, no limit, no store: the bytes and headers of our getPet',
    fixture: SMALL,
    workloads: ['getPet', 'unauthorized'],
    topics: ['answer', 'keys'],
    isInstalled: () => Bun.which('nginx') !== null,
    command({ folder, port, answer }) {
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxConfiguration(folder, port, secretOf(1), answer));
      return { words: ['nginx', '-c', file], settings: {} };
    },
  },
  {
    name: 'fastify',
    title: `Fastify ${dependencies.fastify}, Node.js`,
    setup: `@fastify/bearer-auth, ${IN_MEMORY}; @fastify/rate-limit; ${ON_SQLITE}`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: EVERYTHING,
    isQuick: true,
    command: nodeScript('fastify.js'),
  },
  {
    name: 'express',
    title: `Express ${dependencies.express}, Node.js`,
    setup: `${IN_MEMORY}; express-rate-limit; ${ON_SQLITE}`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: EVERYTHING,
    isQuick: true,
    command: nodeScript('express.js'),
  },
  {
    name: 'hono-node',
    title: `Hono ${dependencies.hono}, Node.js`,
    setup: `its bearerAuth, ${IN_MEMORY}; hono-rate-limiter; ${ON_SQLITE}`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: EVERYTHING,
    command: nodeScript('hono.js'),
  },
  {
    name: 'hono-bun',
    title: `Hono ${dependencies.hono}, Bun`,
    setup: `its bearerAuth, ${IN_MEMORY}; hono-rate-limiter; ${ON_SQLITE}`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: EVERYTHING,
    command: bunScript('hono.js'),
  },
  {
    name: 'nest',
    title: `NestJS ${dependencies['@nestjs/core']} on Fastify, Node.js`,
    setup: `a guard, ${IN_MEMORY}; @nestjs/throttler, with a counter for its list; ${ON_SQLITE}`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: EVERYTHING,
    command: nodeScript('nest.js'),
  },
  {
    name: 'json-server',
    title: `json-server ${dependencies['json-server']}, Node.js`,
    setup: `${IN_MEMORY}; express-rate-limit; a file of JSON, written whole and not synced`,
    fixture: SMALL,
    workloads: WHOLE,
    topics: ['getPet', 'listPets', 'createPet', 'keys'],
    command: nodeScript('json-server.js'),
    // Its file may be read when half of it is written.
    async countPets({ port }) {
      const headers = { Authorization: `Bearer ${secretOf(1)}` };
      const response = await fetch(`http://127.0.0.1:${port}/v1/pets?limit=1`, { headers });
      return Number(response.headers.get('X-Total-Count'));
    },
  },
  {
    name: 'prism',
    title: `Prism ${dependencies['@stoplight/prism-cli']}, Node.js`,
    setup: 'any key, no limit, no store: examples out of openapi.json',
    fixture: SMALL,
    workloads: ['getPet'],
    topics: ['petShape'],
    command({ folder, port }) {
      const file = join(folder, 'openapi.json');
      writeFileSync(file, documentWithPrefix());
      const listen = ['--host', '127.0.0.1', '--port', String(port)];
      return {
        words: [benchNode(), PRISM, 'mock', ...listen, '--verboseLevel', 'silent', file],
        settings: {},
      };
    },
  },
  {
    name: OURS_LARGE,
    title: 'Animal Store, 1,000,000 animals, 100,000 accounts',
    setup: 'the same, and every account sends requests',
    fixture: LARGE,
    workloads: ['getPet', 'firstPage', 'deepPage', 'firstSold', 'deepSold'],
    topics: EVERYTHING,
    isQuick: true,
    command: animalStore,
  },
  {
    name: OURS_SHARED,
    title: 'Animal Store, PostgreSQL and Redis',
    setup: 'keys remembered for half a second, two windows and bans in one script',
    fixture: SMALL,
    workloads: ['getPet'],
    topics: EVERYTHING,
    isShared: true,
    isQuick: true,
    command: animalStore,
  },
  {
    name: 'fastify-postgres',
    title: `Fastify ${dependencies.fastify}, PostgreSQL and Redis, Node.js`,
    setup: `@fastify/bearer-auth, ${IN_MEMORY}; @fastify/rate-limit on ioredis; pg`,
    fixture: SMALL,
    workloads: ['getPet'],
    topics: EVERYTHING,
    isShared: true,
    isQuick: true,
    command: nodeScript('fastify-postgres.js'),
  },
];

export async function countPets(contender: Contender, place: Place): Promise<number> {
  if (contender.countPets !== undefined) return contender.countPets(place);
  using database = new Database(place.databaseFile, { readonly: true });
  const [[count] = []] = database.query('SELECT count(*) FROM pets').values();
  return Number(count);
}
