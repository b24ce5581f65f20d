import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { answering, hasStatus, isOne, withStatus } from '../conformance/faults.ts';
import {
  type Fault,
  KEY,
  type SmallServer,
  startSmallServer,
} from '../conformance/small-server.ts';
import { Clock } from '../support/clock.ts';
import { commandLine, run } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let honest: SmallServer;
let broken: SmallServer;

beforeAll(() => {
  const clock = new Clock(Date.now());
  honest = startSmallServer({ clock });
  broken = startSmallServer({ clock, fault: answering(hasStatus(404), withStatus(400)) });
});
afterAll(() => {
  honest[Symbol.dispose]();
  broken[Symbol.dispose]();
});

const check = (url: string, ...words: string[]) =>
  run({}, 'conformance', url, '--key', KEY, ...words);

/** The exit code of the command, with its output put somewhere by a shell. */
function inShell(url: string, redirection: string, ...words: string[]): Promise<number> {
  const command = commandLine('conformance', url, '--key', KEY, ...words);
  const script = `"$@" ${redirection}; exit "${'$'}{PIPESTATUS[0]}"`;
  return Bun.spawn(['bash', '-c', script, 'bash', ...command], { stderr: 'ignore' }).exited;
}

describe('the exit code is', () => {
  test('0 when nothing failed', async () => {
    const { exitCode, stdout, stderr } = await check(honest.url);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not checkable, \d+ requests\n$/);
    expect(stdout).toContain('✓ passed         The body is a bare array  [listPets.array]');
    expect(stdout).toContain('It takes a key of the Free plan: give one with --key-free.');
  });

  test('1 when something did', async () => {
    const { exitCode, stdout } = await check(broken.url);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ failed         An id that no animal has is answered 404');
    expect(stdout).toContain(`-H "Authorization: Bearer $KEY"`);
    expect(stdout).not.toContain(KEY);
    expect(stdout).toContain(' 1 failed, ');
  });

  test.each([
    [
      'an address that nobody listens at',
      ['http://127.0.0.1:1'],
      '127.0.0.1:1/v1 cannot be reached',
    ],
    ['an address that is none', ['animals'], 'The address must begin with http:// or https://'],
    [
      'a key that no header can carry',
      ['http://127.0.0.1:1', '--key', 'a\nb'],
      'A key is made of letters',
    ],
    [
      'a time-out that is none',
      ['http://127.0.0.1:1', '--timeout', '0'],
      'It must be a whole number',
    ],
    ['no address', [], "missing required argument 'url'"],
  ])('2, after one line, with %s', async (_, words, message) => {
    const { exitCode, stdout, stderr } = await run({}, 'conformance', '--key', KEY, ...words);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('2 when the key is refused', async () => {
    const { exitCode, stderr } = await check(honest.url, '--key', 'wrong');
    expect([exitCode, stderr]).toEqual([2, 'The service refuses the key, with status 401.\n']);
  });

  test('2 when the file cannot be written, before anything is asked', async () => {
    const url = 'http://127.0.0.1:1';
    const { exitCode, stdout, stderr } = await check(url, '--junit', '/dev/null/report.xml');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toStartWith('The JUnit file cannot be written: ');
  });

  test('2 when the file takes no more, and the report is printed all the same', async () => {
    const { exitCode, stdout, stderr } = await check(honest.url, '--junit', '/dev/full');
    expect(exitCode).toBe(2);
    expect(stdout).toContain(' passed, ');
    expect(stderr).toStartWith('The JUnit file cannot be written: ');
  });

  test('2 when the report cannot be printed', async () => {
    expect(await inShell(broken.url, '> /dev/full')).toBe(2);
  });

  test('2 when it was not checked to the end, and 1 when something had failed by then', async () => {
    const busy = { clock: new Clock(Date.now()), perMinute: { [KEY]: 10 } };
    using good = startSmallServer(busy);
    using bad = startSmallServer({ ...busy, fault: answering(hasStatus(201), withStatus(200)) });
    for (const [{ url }, code] of [
      [good, 2],
      [bad, 1],
    ] as const) {
      const { exitCode, stdout } = await check(url, '--no-wait');
      expect(exitCode).toBe(code);
      expect(stdout).toContain('\nIt was not checked to the end. The key has used up its requests');
    }
  });

  test('1 also when nobody reads the report', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'report.xml');
    expect(await inShell(broken.url, '| true', '--junit', file)).toBe(1);
    expect(await Bun.file(file).text()).toContain('failures="1"');
  });
});

test('a base address may end in a slash, and needs no path', async () => {
  const { origin } = new URL(honest.url);
  for (const url of [origin, `${origin}/`, `${origin}/v1/`]) {
    const { stdout } = await check(url, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ url: honest.url, failed: 0 });
  }
});

test('--junit writes the report beside the one that is printed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'report.xml');
  const { stdout } = await check(broken.url, '--json', '--junit', file);
  const { results, notCheckable } = JSON.parse(stdout);
  expect(await Bun.file(file).text()).toContain(
    `tests="${results.length}" failures="1" skipped="${notCheckable}"`,
  );
});

test('no answer steers the terminal that shows it', async () => {
  const clock = new Clock(Date.now());
  const fault = answering(
    hasStatus(404),
    ({ headers }) => new Response('\u009b2J\u202e', { headers }),
  );
  using steering = startSmallServer({ clock, fault });
  for (const words of [[], ['--json']]) {
    const { stdout } = await check(steering.url, ...words);
    expect(stdout).toContain('\\u009b2J\\u202e');
    expect(stdout).not.toMatch(/[\u007f-\u009f\p{Cf}]/u);
  }
});

test('no address that the service sends on to steers it either, or shows the key', async () => {
  const clock = new Clock(Date.now());
  const headers = { Location: `https://new.invalid/\u009b?key=${KEY}` };
  const fault = answering(
    () => true,
    () => new Response(null, { status: 308, headers }),
  );
  using moved = startSmallServer({ clock, fault });
  const { stderr } = await check(moved.url);
  expect(stderr).toContain('https://new.invalid/\\u009b?key=(key).');
});

test('a terminal shows how far it has come, and is left clean', async () => {
  const shown = await onTerminal(`${quotedCommand(honest.url)} > /dev/null`);
  expect(shown).toMatch(/Checked \[[#-]{30}\] \d+ % \d+ of \d+/);
  expect(shown).toEndWith('\r\u001b[K');
});

test('a terminal shows the bar from the first step, however soon that comes', async () => {
  const progress = join(import.meta.dir, '../../src/cli/progress.ts');
  const program = `import { Progress } from "${progress}";
    using bar = new Progress("Checked", 2);
    bar.step();`;
  const shown = await onTerminal(`'${process.execPath}' -e '${program}'`);
  expect(shown).toBe(
    `\r\u001b[KChecked [${'#'.repeat(15)}${'-'.repeat(15)}] 50 % 1 of 2\r\u001b[K`,
  );
});

test('Ctrl-C leaves a clean terminal and no partial report', async () => {
  const clock = new Clock(Date.now());
  const reached = Promise.withResolvers<void>();
  // The first checks pass and draw the bar. Then the server never responds.
  const fault: Fault = (request, honest) => {
    if (!isOne(request)) return honest(request);
    reached.resolve();
    return new Promise<Response>(() => {});
  };
  using hanging = startSmallServer({ clock, fault });
  using folder = temporaryFolder();
  const pidFile = join(folder.path, 'pid');
  const reportFile = join(folder.path, 'report.json');
  const terminal = onTerminal(
    `echo $$ > '${pidFile}'; exec ${quotedCommand(hanging.url)} > '${reportFile}'`,
  );
  await reached.promise;
  process.kill(Number(await Bun.file(pidFile).text()), 'SIGINT');
  const shown = await terminal;
  expect(shown).toContain('Checked [');
  expect(shown).toEndWith('\r\u001b[K');
  expect(await Bun.file(reportFile).text()).toBe('');
});

function quotedCommand(url: string): string {
  const words = commandLine('conformance', url, '--key', KEY, '--json');
  return words.map((word) => `'${word}'`).join(' ');
}

/** All that a command shows on a terminal of its own. */
async function onTerminal(command: string): Promise<string> {
  const script = requireProgram('script', 'bsdutils');
  const terminal = Bun.spawn([script, '-qec', command, '/dev/null'], {
    stdin: 'ignore',
    stdout: 'pipe',
  });
  return await new Response(terminal.stdout).text();
}
