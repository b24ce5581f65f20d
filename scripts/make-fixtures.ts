import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { exportOf, fillStore } from '../test/stores/full-store.ts';
import { runJson } from '../test/support/command.ts';
import { postgresPrograms, TestPostgres } from '../test/support/postgres.ts';
import { newFile } from '../test/support/temporary-folder.ts';

/**
 * Writes files of this version into test/fixtures: its package, a data file, a backup, an export and a dump of
 * PostgreSQL. Every later version must open them. Also keeps the client, which every later version must serve. Run it
 * once for each release.
 */
const folder = `test/fixtures/${packageJson.version}`;
// Fails if this version already has fixtures, because the fixtures of a release never change.
mkdirSync(folder);

async function save(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  await Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(content, { level: 9 }));
}

const packed = Bun.spawnSync(['npm', 'pack', '--silent', '--pack-destination', folder]);
renameSync(join(folder, packed.stdout.toString().trim()), join(folder, 'package.tgz'));
// Later versions serve this client at the same path.
const [client, released] = ['generated/client', `released/client-${packageJson.version}`];
copyFileSync(`src/reference/${client}.tgz`, `src/reference/${released}.tgz`);
const sha256 = new Bun.SHA256().update(await Bun.file(`src/reference/${client}.tgz`).bytes());
await Bun.write(join(folder, 'client.sha256'), sha256.digest('hex'));

const { path, settings } = newFile();
const sqlite = await fillStore(settings);
const backup = newFile().path;
await runJson(settings, 'store', 'backup', backup);
await save('export.ndjson', await exportOf(settings));
await save('store.db', await Bun.file(path).bytes());
await save('backup.db', await Bun.file(backup).bytes());

await using server = await TestPostgres.start();
const url = await server.newDatabase();
const postgres = await fillStore({ DATABASE_URL: url });
await save('postgres.ndjson', await exportOf({ DATABASE_URL: url }));
const dump = Bun.spawnSync([join(postgresPrograms(), 'pg_dump'), '--inserts', '--no-owner', url]);
// Newer versions of pg_dump add commands for psql, which a server does not understand.
await save('postgres.sql', dump.stdout.toString().replaceAll(/^\\.*$/gm, ''));

await Bun.write(join(folder, 'keys.json'), `${JSON.stringify({ sqlite, postgres }, null, 2)}\n`);
