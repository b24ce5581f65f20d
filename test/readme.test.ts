import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { PLANS } from '#domain/plan.ts';
import { makeKey, runLine, serveHere } from './support/command.ts';
import { lacks } from './support/programs.ts';
import { newFile } from './support/temporary-folder.ts';

const readme = readFileSync('README.md', 'utf8');

function section(title: string): string {
  const start = readme.indexOf(`## ${title}\n`);
  return readme.slice(start, readme.indexOf('\n## ', start + 1));
}

test.skipIf(lacks('curl'))('every line of the first tour works when pasted', async () => {
  const { settings } = newFile();
  await using service = await serveHere(settings);
  const { secret } = await makeKey(settings, 'reader');
  const env = { API: service.started.api, ANIMAL_STORE_API_KEY: secret };
  const responses: string[] = [];
  for (const [, text = ''] of section('A first tour').matchAll(/```sh\n(curl[^`]+)```/g)) {
    responses.push((await runLine(['sh', '-c', text], env)).stdout);
  }
  const statuses = responses.join('\n').match(/(?<=HTTP\/1\.1 )\d+/g);
  expect(statuses).toEqual(['201', '201', '200', '200', '200', '400']);
  expect(responses[0]).toContain('9223372036854775807');
});

test('the facts of the README have the figures of the table', () => {
  const facts = readme.slice(0, readme.indexOf('\n## '));
  const table = readFileSync('docs/performance.md', 'utf8');
  for (const name of ['\\*\\*Animal Store', 'as fast as Fastify [^ ]+,', 'as fast as PocketBase']) {
    const row = new RegExp(`^\\| ${name}.*$`, 'm').exec(table)?.[0] ?? '';
    const [, getPet, listPets20 = '', , , createPet = ''] = row.split(/(?: ×)? \|(?: |$)/);
    expect(facts).toContain(listPets20);
    expect(facts).toContain(createPet);
    if (row.includes('**')) expect(facts).toContain(`getPet reaches ${getPet},`);
  }
  const share = /(?<=^\| getPet, Large store \| getPet \| )\S+/m.exec(table)?.[0];
  expect(facts).toContain(`${Number(share).toFixed(2)} times`);
});

test('the table of limits matches the plans', () => {
  for (const { title, limits } of Object.values(PLANS)) {
    const [perMinute, perDay] = limits
      ? [limits.perMinute, limits.perDay].map((count) => count.toLocaleString('en-US'))
      : ['custom', 'custom'];
    expect(section('Limits')).toContain(`| ${title} | ${perMinute} | ${perDay} |`);
  }
});

test('no document has a command that could download a package of the same name', () => {
  const documents = [...new Glob('*.md').scanSync('.'), ...new Glob('docs/**/*.md').scanSync('.')];
  // npx itself takes an option that follows the name, so a subcommand or nothing must follow.
  const unsafe = /npx (?!--no animal-store(?: [a-z]|`))[^`\n]*animal-store.*/g;
  const found = documents.flatMap((path) => readFileSync(path, 'utf8').match(unsafe) ?? []);
  expect(found).toEqual([]);
});
