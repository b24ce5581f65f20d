import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { apiCaller } from '../test/support/api-caller.ts';
import { run, runJson, type Settings, serve } from '../test/support/command.ts';
import { postgresPrograms, TestPostgres } from '../test/support/postgres.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/**
 * Writes what this version leaves behind into test/fixtures, once for each release, for every later
 * version to open: its package, a data file, a backup, an export and a dump of PostgreSQL.
 */
const folder = `test/fixtures/${packageJson.version}`;
// Fails if the version has fixtures: those of a release never change.
mkdirSync(folder);
using work = temporaryFolder();

async function command(settings: Settings, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(settings, ...words);
  if (exitCode !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
  return stdout;
}

async function save(name: string, content: string | Blob): Promise<void> {
  const bytes = new Uint8Array(await new Blob([content]).arrayBuffer());
  await Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(bytes, { level: 9 }));
}

/** Every kind of record, in the states that it can have. Returns the key that still works. */
async function fill(settings: Settings): Promise<string> {
  await using service = await serve(settings);
  const { api } = service.started;
  const newKey = (...words: string[]) =>
    runJson<{ id: number; secret: string }>(settings, 'keys', 'create', ...words);

  await command(settings, 'accounts', 'create', 'Zoë und Söhne', '--plan', 'pro');
  for (const name of ['acme', 'gone', 'late']) {
    await command(settings, 'accounts', 'create', name, '--plan', 'free');
  }
  const limits = ['--per-minute', '2', '--per-day', '2000000'];
  await command(settings, 'accounts', 'set-plan', 'acme', '--plan', 'enterprise', ...limits);
  const main = await newKey('Zoë und Söhne', '--label', 'build server');
  const rotated = await newKey('Zoë und Söhne', '--expires', '90d');
  await command(settings, 'keys', 'rotate', String(rotated.id));
  const revoked = await newKey('late');
  await command(settings, 'keys', 'revoke', String(revoked.id), '--yes');
  const busy = await newKey('acme', '--label', 'busy');
  const { secret } = await newKey('gone');

  await command(settings, 'pets', 'seed', '--count', '120');
  const caller = apiCaller(api, main.secret);
  for (const name of ['Rex', '猫 "q" \\ \u2028', "'; DROP TABLE pets; --", '🐾'.repeat(255)]) {
    await caller.add(name, `key-${name.length}`);
    await caller.add(name);
  }
  await fetch(`${api}/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${main.secret}`, 'Content-Type': 'application/json' },
    body: '{"name":"Max","categoryId":9223372036854775807,"status":"pending"}',
  });
  await command(settings, 'pets', 'set-status', '7', 'sold', '--yes');
  await command(settings, 'pets', 'remove', '121', '--yes');
  for (const key of [busy.secret, busy.secret, busy.secret, busy.secret, secret, revoked.secret]) {
    await apiCaller(api, key).get('/pets/1');
    await apiCaller(api, key).get('/pets?limit=0');
  }
  await command(settings, 'accounts', 'remove', 'gone', '--yes');
  await command(settings, 'accounts', 'suspend', 'late', '--reason', 'unpaid', '--yes');
  // The service writes what is left of its history when it stops.
  service.kill('SIGTERM');
  await service.exited;
  return main.secret;
}

const packed = Bun.spawnSync(['npm', 'pack', '--silent', '--pack-destination', folder]);
renameSync(join(folder, packed.stdout.toString().trim()), join(folder, 'package.tgz'));

const file = join(work.path, 'store.db');
const settings = { DATABASE_URL: `sqlite:${file}` };
const key = await fill(settings);
const backup = join(work.path, 'backup.db');
await command(settings, 'store', 'backup', backup);
await save('export.ndjson', await command(settings, 'store', 'export'));
await save('store.db', Bun.file(file));
await save('backup.db', Bun.file(backup));

await using postgres = await TestPostgres.start();
const url = await postgres.newDatabase();
const databaseKey = await fill({ DATABASE_URL: url });
await save('postgres.ndjson', await command({ DATABASE_URL: url }, 'store', 'export'));
const dump = Bun.spawnSync([join(postgresPrograms(), 'pg_dump'), '--inserts', '--no-owner', url]);
// Newer versions of pg_dump add commands of psql, which no server understands.
await save('postgres.sql', dump.stdout.toString().replaceAll(/^\\.*$/gm, ''));

await Bun.write(
  join(folder, 'keys.json'),
  `${JSON.stringify({ sqlite: key, postgres: databaseKey }, null, 2)}\n`,
);
