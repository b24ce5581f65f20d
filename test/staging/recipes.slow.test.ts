import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { REHEARSALS } from '#contract/environment.ts';
import { ERROR_CODES } from '#contract/errors.ts';
import { runJson, runLine, type Serving, serve } from '../support/command.ts';
import { lacks } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';

const page = readFileSync('docs/staging.md', 'utf8');
const COMMAND = 'npx --no animal-store ';

/** What the reference page of a staging deployment says, with the commands of an operator. */
const reference = readFileSync('src/reference/pages/staging.md', 'utf8').replaceAll(
  '{{program}} ',
  COMMAND,
);

const RECIPES = Array.from(reference.matchAll(/^### \d\. (.*)\n/gm), ([heading, title = '']) => {
  const text = section(heading.trim(), reference);
  return { title, text, shell: blocks(text, 'sh').join('\n') };
});

/** The text from a heading to the next one. */
function section(heading: string, document = page) {
  const start = document.indexOf(`\n${heading}\n`);
  const end = document.slice(start + 1).search(/\n##+ /);
  return document.slice(start, end === -1 ? undefined : start + 1 + end);
}

function blocks(text: string, language: string): string[] {
  const fences = text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return Array.from(fences, ([, code = '']) => code.trimEnd());
}

/** The commands of a block, as their arguments. */
function commands(block: string): string[][] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => line.startsWith(COMMAND))
    .map((line) => line.slice(COMMAND.length).split(/\s+/));
}

test('docs/staging.md has the keys and the failures of the reference pages', () => {
  const [keys = ''] = blocks(section('## Recipes'), 'sh');
  const [shown = ''] = blocks(section('## Recipes', reference), 'sh');
  expect(keys).toEndWith(shown.replace('{{chooseStore}}', '\n\n'));
  const rows = section('## Failures on demand').matchAll(/^\| `([a-z].*?)` \| (.+) \|$/gm);
  expect(Object.fromEntries(Array.from(rows, ([, name, sees]) => [name, sees]))).toEqual(
    REHEARSALS,
  );
});

/** The recipes run on one service and the same accounts, one after the other, as a reader would run them. */
describe('the recipe', () => {
  const { folder, settings } = newFile();
  let service: Serving;
  let variables: Record<string, string>;

  beforeAll(async () => {
    service = await serve({ ...settings, STAGING: 'on', DEMO: 'off' });
    const [, seed = ''] = blocks(section('## Start a staging deployment'), 'sh');
    const [keys = ''] = blocks(section('## Recipes'), 'sh');
    const secrets: string[] = [];
    for (const line of [...commands(seed), ...commands(keys)]) {
      const { secret } = await runJson<{ secret?: string }>(settings, ...line);
      if (secret !== undefined) secrets.push(secret);
    }
    const [ANIMAL_STORE_API_KEY = '', LAST_KEY = '', NIGHT_KEY = ''] = secrets;
    variables = { API: service.started.api, ANIMAL_STORE_API_KEY, LAST_KEY, NIGHT_KEY };
  });

  afterAll(() => service[Symbol.asyncDispose]());

  for (const { title, text, shell } of RECIPES) {
    test.skipIf(lacks('curl'))(`"${title}" works with curl`, async () => {
      const { stdout } = await runLine(['sh', '-c', shell], variables);
      const expected = Array.from(shell.matchAll(/^# .*: ([\d, ]+)$/gm), ([, list]) => list);
      const statuses = Array.from(stdout.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status);
      expect(statuses.join()).toBe(expected.join().replaceAll(' ', ''));
      expect(expected).not.toBeEmpty();
      const named = ERROR_CODES.filter((code) => text.includes(`\`${code}\``));
      for (const code of named) expect(stdout).toContain(`{"code":"${code}"`);
    });
  }

  test('every recipe works with the client', async () => {
    const [shared = ''] = blocks(section('## Recipes'), 'js');
    const recipes = RECIPES.map(({ title }) => {
      const [code = ''] = blocks(section(`### ${title}`), 'js');
      expect(code).toMatch(/clientAt|new AnimalStore/);
      return `{\n${code}\n}`;
    });
    const client = resolve('packages/client/src/animal-store.ts');
    const path = join(folder, 'recipes.mjs');
    const program = [shared, ...recipes].join('\n').replaceAll('@animal-store/client', client);
    await Bun.write(path, program);
    expect(await runLine([process.execPath, path], variables)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });
});
