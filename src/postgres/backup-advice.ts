/** PostgreSQL has backup tools that nobody should reinvent. These lines can be pasted. */
export function backupAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Back it up with pg_dump:',
    `  pg_dump --format=custom --file=${shellWord(file)} ${shellWord(withoutPassword(url))}`,
  ].join('\n');
}

export function restoreAdvice(url: string, file: string): string {
  return [
    'The store is a PostgreSQL database. Stop all instances, then restore it with pg_restore:',
    `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${shellWord(withoutPassword(url))} ${shellWord(file)}`,
  ].join('\n');
}

/** The tools ask for the password, or read it from ~/.pgpass. */
function withoutPassword(url: string): string {
  const safe = new URL(url);
  safe.password = '';
  safe.searchParams.delete('password');
  return safe.href;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
