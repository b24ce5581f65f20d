import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder.ts';

const REQUESTS = 100;

/** How often each line of each file in src ran, by the coverage of a service that serves requests. */
async function lineCounts(operation: string, requests: number): Promise<Map<string, number>> {
  using folder = temporaryFolder();
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder.path}`];
  const child = Bun.spawn(
    [process.execPath, 'test', ...coverage, './test/support/warm-request.ts'],
    {
      env: { ...Bun.env, OPERATION: operation, REQUESTS: String(requests) },
      stdout: 'ignore',
      stderr: 'ignore',
    },
  );
  expect(await child.exited).toBe(0);
  const counts = new Map<string, number>();
  for (const record of readFileSync(join(folder.path, 'lcov.info'), 'utf8').split('SF:')) {
    const [file = ''] = record.split('\n');
    if (!file.startsWith('src/')) continue;
    for (const [, line, count] of record.matchAll(/^DA:(\d+),(\d+)$/gm)) {
      counts.set(`${file}:${line}`, Number(count));
    }
  }
  return counts;
}

/** The files with a line that runs at least once for every request. */
async function filesRunBy(operation: string): Promise<string[]> {
  const few = await lineCounts(operation, 5);
  const many = await lineCounts(operation, 5 + REQUESTS);
  const lines = [...many].filter(([line, count]) => count - (few.get(line) ?? 0) >= REQUESTS);
  return [...new Set(lines.map(([line]) => line.split(':')[0] ?? ''))].sort();
}

// One of them is the recorder of the usage history.
test.each([
  ['getPet', 15],
  ['createPet', 24],
])('a warm %s runs code in at most %d files', async (operation, most) => {
  const files = await filesRunBy(operation);
  console.log(`${operation}: ${files.length} files\n  ${files.join('\n  ')}`);
  expect(files).toContain('src/http/answer.ts');
  expect(files.length).toBeLessThanOrEqual(most);
});
