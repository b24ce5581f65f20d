import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mainOf, ROOT } from '../measure/checkout.ts';
import { type Fixture, keyOf, LARGE, SMALL } from '../measure/fixture.ts';
import type { Settings } from '../measure/server.ts';
import type { WorkloadName } from '../measure/workloads.ts';
import { dependencies } from '../package.json' with { type: 'json' };
import { nginxConfiguration } from './nginx.ts';

export interface Contender {
  readonly name: string;
  readonly title: string;
  readonly fixture: Fixture;
  /** Compared with Animal Store on these. */
  readonly workloads: readonly WorkloadName[];
  /** How many times as fast Animal Store has to be. */
  readonly goals?: Readonly<Partial<Record<WorkloadName, number>>>;
  /** Runs on PostgreSQL and Redis. */
  readonly isShared?: boolean;
  /** Invents its responses. */
  readonly isMock?: boolean;
  /** The checkout whose command fills the store. */
  readonly checkout: string;
  /** The command line of the server. */
  words(settings: Settings): readonly string[];
}

const MODULES = join(import.meta.dir, '../node_modules/.bin');
const NODE = ['env', 'NODE_ENV=production', join(MODULES, 'node')];
const BUN = [process.execPath];
const { fastify, express, hono } = dependencies;
const LISTS = ['listPets20', 'listPets100', 'listSold20'] as const;

const whole = {
  fixture: SMALL,
  workloads: ['getPet', ...LISTS, 'unauthorized', 'overLimit', 'mix', 'createPet'],
  checkout: ROOT,
} as const;
const single = { ...whole, workloads: ['getPet'] } as const;

export const OURS = animalStore('animal-store', 'Animal Store', SMALL);
export const OURS_LARGE = animalStore('large', 'Animal Store with 1,000,000 pets', LARGE);
export const OURS_SHARED: Contender = {
  ...animalStore('shared', 'Animal Store on PostgreSQL and Redis', SMALL),
  isShared: true,
};

export const RIVALS: readonly Contender[] = [
  {
    ...single,
    ...script('ceiling', 'Ceiling: Bun.serve, a constant', BUN),
    goals: { getPet: 0.8 },
  },
  { ...single, ...script('by-hand', 'By hand: Bun.serve, one function', BUN) },
  {
    ...single,
    name: 'nginx',
    title: 'nginx, return 200',
    workloads: ['getPet', 'unauthorized'],
    words({ PORT, FOLDER, RESPONSE_FILE }) {
      const file = join(FOLDER, 'nginx.conf');
      const response = JSON.parse(readFileSync(RESPONSE_FILE, 'utf8'));
      writeFileSync(file, nginxConfiguration(FOLDER, PORT, keyOf(1), response));
      return ['nginx', '-c', file];
    },
  },
  {
    ...whole,
    ...script('fastify', `Fastify ${fastify}, Node.js`, NODE),
    goals: { getPet: 2, listPets20: 2, listPets100: 2, createPet: 5 },
  },
  {
    ...whole,
    ...script('express', `Express ${express}, Node.js`, NODE),
    goals: { getPet: 4, listPets20: 4, listPets100: 4 },
  },
  { ...whole, ...script('hono', `Hono ${hono}, Node.js`, NODE), name: 'hono-node' },
  { ...whole, ...script('hono', `Hono ${hono}, Bun`, BUN), name: 'hono-bun' },
  { ...whole, ...script('nest', `NestJS ${dependencies['@nestjs/core']}, Node.js`, NODE) },
  {
    ...whole,
    ...script('json-server', `json-server ${dependencies['json-server']}, Node.js`, NODE),
  },
  {
    ...single,
    name: 'prism',
    title: `Prism ${dependencies['@stoplight/prism-cli']}, Node.js`,
    isMock: true,
    words({ PORT, FOLDER }) {
      const file = join(FOLDER, 'openapi.json');
      writeFileSync(file, documentWithPrefix());
      const options = ['--host', '127.0.0.1', '--port', PORT, '--verboseLevel', 'silent'];
      return [join(MODULES, 'node'), join(MODULES, 'prism'), 'mock', ...options, file];
    },
  },
  {
    ...single,
    ...script('fastify-postgres', `Fastify ${fastify} on PostgreSQL and Redis, Node.js`, NODE),
    workloads: ['getPet', 'createPet'],
    goals: { getPet: 2 },
    isShared: true,
  },
];

/** Animal Store, started the way an operator starts it. */
export function animalStore(
  name: string,
  title: string,
  fixture: Fixture,
  checkout = ROOT,
): Contender {
  const words = () => [process.execPath, mainOf(checkout), 'serve'];
  return { ...whole, name, title, fixture, checkout, words };
}

function script(name: string, title: string, runtime: readonly string[]) {
  return { name, title, words: () => [...runtime, join(import.meta.dir, `${name}.js`)] };
}

/** Prism ignores the path of the server's address, so the paths get the prefix. */
function documentWithPrefix(): string {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const paths = Object.entries(document.paths).map(([path, item]) => [`/v1${path}`, item]);
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths) });
}
