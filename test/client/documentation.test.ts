import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runLine } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { newFolder } from '../support/temporary-folder.ts';

const page = readFileSync('docs/client.md', 'utf8');
const source = readFileSync('packages/client/src/animal-store.ts', 'utf8');

test('every example of docs/client.md and of a doc comment runs', async () => {
  await using service = await startService();
  const folder = newFolder();
  const [first, ...examples] = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code);
  expect(examples.length).toBeGreaterThanOrEqual(6);
  const comments = source.matchAll(/@example\n(.*?)\*\//gs);
  const inComments = Array.from(comments, ([, code]) => `{${code?.replaceAll(/^ +\*/gm, '')}}`);
  // The reader's own functions.
  const progress = 'async function readProgress() { return 0; } async function writeProgress() {}';
  const program = [first, ...inComments, ...examples, progress]
    .join('\n')
    .replaceAll('@animal-store/client', resolve('packages/client/src/animal-store.ts'))
    .replace('https://shop.example/v1', service.url)
    .replace('ask_…', service.key.secret);
  const path = join(folder, 'examples.ts');
  await Bun.write(path, program);
  const { exitCode, stdout, stderr } = await runLine([process.execPath, path], {});
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toStartWith('Rex\n{"id":1,"name":"Rex","categoryId":7,"status":"available"}\n');
  expect(stdout).toContain('\n0 3n\n');
  expect(stdout).toEndWith('order-17 was for another pet\n');
});

test('docs/client.md has every method, and the package exports the types of its arguments', () => {
  const exported = source
    .match(/^export .*?\}/gms)
    ?.join()
    .match(/\w+/g);
  const methods = [...source.matchAll(/^ {2}(?:async \*?)?([a-z]\w+)\(([^;]*?)\): .* \{$/gm)];
  expect(methods.length).toBeGreaterThanOrEqual(6);
  for (const [, name, parameters] of methods) {
    expect(page).toMatch(new RegExp(`\\b${name}\\b`));
    expect(exported).toEqual(expect.arrayContaining(parameters?.match(/\b[A-Z]\w+/g) ?? []));
  }
});
