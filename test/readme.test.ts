import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { PLANS } from '../src/domain/plan.ts';
import { serve } from './support/command.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const readme = readFileSync('README.md', 'utf8');

function section(title: string, page = readme): string {
  const start = page.indexOf(`## ${title}\n`);
  return page.slice(start, page.indexOf('\n## ', start + 1));
}

test('every line of the first tour works when pasted', async () => {
  using folder = temporaryFolder();
  await using service = await serve({ DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` });
  const env = {
    PATH: Bun.env['PATH'] ?? '',
    API: service.started.api,
    KEY: service.started.demoKey ?? '',
  };
  const blocks = [...section('A first tour').matchAll(/```sh\n([^`]+)```/g)].map(
    ([, text]) => text,
  );
  const responses = blocks
    .filter((text) => text?.startsWith('curl'))
    .map((text) =>
      Bun.spawnSync(['sh', '-c', text ?? ''], { env, stderr: 'ignore' }).stdout.toString(),
    );
  const statuses = responses.join('\n').match(/HTTP\/1\.1 \d+/g);
  expect(statuses?.map((line) => Number(line.slice(9)))).toEqual([201, 201, 200, 200, 200, 400]);
  expect(responses[0]).toContain('9223372036854775807');
});

test('the table of limits matches the plans', () => {
  for (const { title, limits } of Object.values(PLANS)) {
    const [perMinute, perDay] = limits
      ? [limits.perMinute, limits.perDay].map((count) => count.toLocaleString('en-US'))
      : ['custom', 'custom'];
    expect(section('Limits')).toContain(`| ${title} | ${perMinute} | ${perDay} |`);
  }
});

test('the code tour lists every folder of src, and only folders and files that exist', () => {
  const tour = section('Code tour', readFileSync('CONTRIBUTING.md', 'utf8'));
  const folders = [...tour.matchAll(/^\| `([^`]+\/)` \|/gm)].map(([, path]) => path as string);
  const ofSource = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}/`);
  expect(folders).toEqual(expect.arrayContaining(ofSource));
  const files = [...tour.matchAll(/`(src\/[^`]+)`/g)].map(([, path]) => path as string);
  for (const path of [...folders, ...files])
    expect({ path, exists: existsSync(path) }).toEqual({ path, exists: true });
});

test('every place that replaces getPet by the list says to compare the id', () => {
  const places = [
    ...['README.md', 'docs/operations.md', 'docs/client.md', 'openapi.json'],
    ...['src/contract/api.ts', 'packages/client/src/animal-store.ts'],
  ];
  const advice = /after\W.{0,20}- 1n?\W.{0,12}limit\W{1,2}1\b|after=0&limit=1/gs;
  const found = places.flatMap((path) => {
    const text = readFileSync(path, 'utf8').replace(/\s*\n[\s*/]*/g, ' ');
    return [...text.matchAll(advice)].map(({ index }) => {
      const around = text.slice(Math.max(0, index - 300), index + 200);
      return { path, compares: /compares? the id/i.test(around) };
    });
  });
  expect(new Set(found.map(({ path }) => path)).size).toBeGreaterThanOrEqual(4);
  expect(found.filter(({ compares }) => !compares)).toEqual([]);
});

test('no document has a command that could download a package of the same name', () => {
  const documents = [...new Glob('*.md').scanSync('.'), ...new Glob('docs/**/*.md').scanSync('.')];
  // npx itself takes an option that follows the name, so a subcommand or nothing must follow.
  const unsafe = /npx (?!--no animal-store(?: [a-z]|`))[^`\n]*animal-store.*/g;
  const found = documents.flatMap((path) => readFileSync(path, 'utf8').match(unsafe) ?? []);
  expect(found).toEqual([]);
});
