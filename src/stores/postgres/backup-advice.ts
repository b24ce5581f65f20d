import { shellWord } from '../../domain/shell-word.ts';

/**
 * PostgreSQL has backup tools that nobody should reinvent. These lines can be pasted. The tools ask
 * for the password, or read it from ~/.pgpass, so the URL must not contain it.
 */
export function backupAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Back it up with pg_dump:',
    `  pg_dump --format=custom --file=${shellWord(file)} ${shellWord(url)}`,
  ].join('\n');
}

export function restoreAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Stop all instances, then restore it with pg_restore:',
    `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellWord(url)} ${shellWord(file)}`,
  ].join('\n');
}
