import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import document from '../../openapi.json' with { type: 'json' };
import { commandOf, DATA, ROOT } from '../measure/checkout.ts';
import { ADDRESSES, LARGE, SMALL, SPENT_ACCOUNTS } from '../measure/fixture.ts';
import { dependencies } from '../package.json' with { type: 'json' };
import type { Contender, Settings } from './contender.ts';
import { nginx } from './nginx.ts';
import {
  buildPocketBase,
  POCKETBASE_EXECUTABLE,
  POCKETBASE_VERSION,
  pocketBaseDialect,
  preparePocketBase,
} from './pocketbase.ts';

const PROGRAM = join(DATA, 'animal-store');
const MODULES = join(import.meta.dir, '../node_modules/.bin');
const { fastify, express, hono } = dependencies;
const EVERYDAY = ['getPet', 'listPets20', 'listPets100', 'mix', 'createPet'] as const;
const GET_PET = { workloads: ['getPet'] } as const;

export const OURS = animalStore('animal-store', 'Animal Store');
/** A getPet by as many accounts or addresses as a workload of refusals has, so that it can be compared with that workload. */
export const OURS_4000_ACCOUNTS = busy(SPENT_ACCOUNTS);
export const OURS_30000_ACCOUNTS = busy(ADDRESSES);
export const OURS_LARGE = animalStore('large', 'Large store', {
  fixture: LARGE,
});
export const OURS_SHARED = animalStore('shared', 'Animal Store on PostgreSQL and Redis', {
  isShared: true,
});
/** The executable, which people install as one file. */
export const OURS_PROGRAM = contender('program', 'Animal Store, executable', serveProgram, {
  program: PROGRAM,
  build: buildProgram,
});
export const OURS_LARGE_PROGRAM = contender(
  'large-program',
  'Large store, executable',
  serveProgram,
  { fixture: LARGE, build: buildProgram },
);

export const RIVALS: readonly Contender[] = [
  onBun('ceiling', 'Ceiling: Bun.serve, a constant', GET_PET),
  onBun('by-hand', 'By hand: Bun.serve, one function', GET_PET),
  contender('nginx', 'nginx, return 200', nginx, GET_PET),
  onNode('fastify', `Fastify ${fastify}`),
  onNode('express', `Express ${express}`),
  onNode('hono', `Hono ${hono}`, { name: 'hono-node' }),
  onBun('hono', `Hono ${hono}, Bun`, { name: 'hono-bun' }),
  onNode('nest', `NestJS ${dependencies['@nestjs/core']}`),
  onNode('json-server', `json-server ${dependencies['json-server']}`),
  contender('prism', `Prism ${dependencies['@stoplight/prism-cli']}, Node.js`, prism, {
    ...GET_PET,
    isMock: true,
  }),
  onNode('fastify-postgres', `Fastify ${fastify} on PostgreSQL and Redis`, {
    workloads: ['getPet', 'createPet'],
    isShared: true,
  }),
  contender('pocketbase', `PocketBase ${POCKETBASE_VERSION}`, preparePocketBase, {
    workloads: ['getPet', 'listPets20', 'createPet'],
    program: POCKETBASE_EXECUTABLE,
    build: buildPocketBase,
    dialect: pocketBaseDialect,
  }),
];

/** Animal Store, started the way an operator starts it. */
export function animalStore(name: string, title: string, options: Partial<Contender> = {}) {
  const words = commandOf(options.checkout ?? ROOT, 'serve');
  return contender(name, title, () => words, options);
}

function busy(busyAccounts: number): Contender {
  const title = `${busyAccounts.toLocaleString('en')} accounts`;
  return animalStore(`accounts-${busyAccounts}`, title, { fixture: { ...SMALL, busyAccounts } });
}

function onBun(name: string, title: string, options?: Partial<Contender>): Contender {
  return contender(name, title, () => [process.execPath, `${import.meta.dir}/${name}.js`], options);
}

function onNode(name: string, title: string, options?: Partial<Contender>): Contender {
  const words = [
    'env',
    'NODE_ENV=production',
    join(MODULES, 'node'),
    `${import.meta.dir}/${name}.js`,
  ];
  return contender(name, `${title}, Node.js`, () => words, options);
}

function contender(
  name: string,
  title: string,
  words: Contender['words'],
  options?: Partial<Contender>,
): Contender {
  const [fixture, checkout] = [SMALL, ROOT];
  return { name, title, fixture, checkout, workloads: EVERYDAY, words, ...options };
}

function serveProgram(): string[] {
  return [PROGRAM, 'serve'];
}

let isProgramBuilt: boolean | undefined;

/** Builds the executable once for all contenders that run it. */
function buildProgram(): boolean {
  const words = [process.execPath, 'scripts/build-binary.ts', '--outdir', DATA];
  isProgramBuilt ??= Bun.spawnSync(words, { cwd: ROOT, stderr: 'inherit' }).success;
  return isProgramBuilt;
}

function prism({ PORT, FOLDER }: Settings): string[] {
  const file = join(FOLDER, 'openapi.json');
  // Prism ignores the path in the server's URL, so each path of the document gets the prefix.
  const paths = Object.entries(document.paths).map(([path, item]) => [`/v1${path}`, item]);
  writeFileSync(file, JSON.stringify({ ...document, paths: Object.fromEntries(paths) }));
  const options = ['--host', '127.0.0.1', '--port', PORT, '--verboseLevel', 'silent'];
  return [join(MODULES, 'node'), join(MODULES, 'prism'), 'mock', ...options, file];
}
