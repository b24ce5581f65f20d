import { Database } from 'bun:sqlite';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../src/domain/key-secret.ts';

const MIGRATIONS = join(import.meta.dir, '../../migrations/sqlite');

/** Creates a data file as an old version wrote it, with one account and key. Close it after use. */
export function createOldFile(path: string, version: number, secret: string): Database {
  const file = new Database(path);
  for (const name of readdirSync(MIGRATIONS).sort().slice(0, version)) {
    file.run(readFileSync(join(MIGRATIONS, name), 'utf8'));
  }
  file.run(`PRAGMA user_version = ${version}`);
  file.run("INSERT INTO accounts (name, plan, created_at) VALUES ('old', 'pro', 1)");
  const key = "INSERT INTO api_keys (account_id, hash, label, created_at) VALUES (1, ?, 'x', 2)";
  file.run(key, [hashSecret(secret)]);
  return file;
}
