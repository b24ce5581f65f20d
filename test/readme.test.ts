import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANS } from '../src/domain/plan.ts';
import { serve } from './support/command.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const readme = readFileSync('README.md', 'utf8');

function section(title: string): string {
  const start = readme.indexOf(`## ${title}\n`);
  return readme.slice(start, readme.indexOf('\n## ', start + 1));
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
  const answers = blocks
    .filter((text) => text?.startsWith('curl'))
    .map((text) =>
      Bun.spawnSync(['sh', '-c', text ?? ''], { env, stderr: 'ignore' }).stdout.toString(),
    );
  const statuses = answers.join('\n').match(/HTTP\/1\.1 \d+/g);
  expect(statuses?.map((line) => Number(line.slice(9)))).toEqual([201, 201, 200, 200, 200, 400]);
  expect(answers[0]).toContain('9223372036854775807');
});

test('the table of limits is that of the program', () => {
  for (const { title, limits } of Object.values(PLANS)) {
    const [perMinute, perDay] = limits
      ? [limits.perMinute, limits.perDay].map((count) => count.toLocaleString('en-US'))
      : ['by account', 'by account'];
    expect(section('Limits')).toContain(`| ${title} | ${perMinute} | ${perDay} |`);
  }
});

test('the tour of the code leads to folders that exist', () => {
  const folders = [...section('Change it').matchAll(/^\| `([^`]+\/)` \|/gm)].map(
    ([, path]) => path as string,
  );
  expect(folders.length).toBeGreaterThan(6);
  for (const folder of folders) expect(Bun.spawnSync(['test', '-d', folder]).exitCode).toBe(0);
});
