import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Compares `pets import` with creations over HTTP, one after the other and 64 at a time. */

const PETS = 500_000;
const CREATIONS = 5_000;
const AT_ONCE = 64;
const MAIN = join(import.meta.dir, '../src/main.ts');

const folder = mkdtempSync(join(tmpdir(), 'animal-store-import-'));
const env = {
  PATH: Bun.env['PATH'] ?? '',
  DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
  ...{ PORT: '0', OPERATOR_PORT: '0' },
};
const service = Bun.spawn([process.execPath, MAIN, 'serve', '--json'], { env, stdout: 'pipe' });
try {
  const { value } = await service.stdout.getReader().read();
  const { api } = JSON.parse(new TextDecoder().decode(value)) as { api: string };
  const limits = ['--per-minute', '1000000', '--per-day', '1000000'];
  command('accounts', 'create', 'bench', '--plan', 'enterprise', ...limits);
  const { secret } = command('keys', 'create', 'bench');
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const lines = Array.from(
    { length: PETS },
    (_, index) => `{"name":"Pet ${index}","categoryId":${index},"status":"available"}`,
  );

  async function create(body: string | undefined): Promise<void> {
    const response = await fetch(`${api}/pets`, { method: 'POST', headers, body: body ?? '' });
    if (response.status !== 201) throw new Error(`A creation got ${response.status}`);
    await response.arrayBuffer();
  }

  async function createAll(atOnce: number): Promise<void> {
    let next = 0;
    const client = async () => {
      while (next < CREATIONS) await create(lines[next++]);
    };
    await Promise.all(Array.from({ length: atOnce }, client));
  }

  await createAll(1);
  const single = await rateOf(CREATIONS, () => createAll(1));
  const together = await rateOf(CREATIONS, () => createAll(AT_ONCE));
  const file = join(folder, 'pets.ndjson');
  await Bun.write(file, lines.join('\n'));
  const imported = await rateOf(PETS, async () => {
    command('pets', 'import', file);
  });
  console.log(`one creation at a time   ${show(single)} pets/s`);
  console.log(`${AT_ONCE} creations at a time  ${show(together)} pets/s`);
  console.log(`pets import              ${show(imported)} pets/s, with the service running`);
  console.log(
    `ratio                    ${show(imported / single)} and ${show(imported / together)}`,
  );
} finally {
  service.kill('SIGTERM');
  await service.exited;
  rmSync(folder, { recursive: true });
}

function command(...words: string[]) {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, MAIN, ...words, '--json'], { env });
  if (exitCode !== 0) throw new Error(`${words.join(' ')} failed`);
  return JSON.parse(stdout.toString());
}

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return (count / (performance.now() - startedAtMs)) * 1000;
}

function show(rate: number): string {
  return Math.round(rate).toLocaleString('en-US');
}
