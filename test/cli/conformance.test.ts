import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/cli/conformance.ts';
import type { Report } from '../../src/conformance/report.ts';
import { CannotRun } from '../../src/conformance/session.ts';
import { hasStatus, isGetPet, onResponse, withStatus } from '../conformance/faults.ts';
import {
  type Fault,
  FREE_KEY,
  KEY,
  type ReferenceServer,
  startReferenceServer,
} from '../conformance/reference-server.ts';
import { Clock } from '../support/clock.ts';
import { commandLine, run, onTerminal as terminalLines } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let conforming: ReferenceServer;
let broken: ReferenceServer;

beforeAll(() => {
  const clock = new Clock(Date.now());
  conforming = startReferenceServer({ clock });
  broken = startReferenceServer({ clock, fault: onResponse(hasStatus(404), withStatus(400)) });
});
afterAll(() => {
  conforming[Symbol.dispose]();
  broken[Symbol.dispose]();
});

const check = (url: string, ...words: string[]) =>
  run({ ANIMAL_STORE_API_KEY: KEY }, 'conformance', url, ...words);

/** The exit code of the command with its output redirected by a shell. */
function inShell(url: string, redirection: string, ...words: string[]): Promise<number> {
  const command = commandLine('conformance', url, '--key', KEY, ...words);
  const script = `"$@" ${redirection}; exit "${'$'}{PIPESTATUS[0]}"`;
  return Bun.spawn(['bash', '-c', script, 'bash', ...command], { stderr: 'ignore' }).exited;
}

describe('the exit code is', () => {
  test('0 if nothing failed', async () => {
    const { exitCode, stdout, stderr } = await check(conforming.url);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n {2}\d+ passed, 0 failed, \d+ not checkable, \d+ requests\n$/);
    expect(stdout).toContain('✓ The body is a bare array  [listPets.array]');
    expect(stdout).toContain('This check needs a key on the Free plan: pass --key-free.');
  });

  test('1 if a check failed', async () => {
    const { exitCode, stdout } = await check(broken.url);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ An unknown id returns 404');
    expect(stdout).toContain(`-H "Authorization: Bearer $KEY"`);
    expect(stdout).not.toContain(KEY);
    expect(stdout).toContain(' 1 failed, ');
  });

  test.each([
    [
      'an address where nothing listens',
      ['http://127.0.0.1:1'],
      'Cannot reach http://127.0.0.1:1/v1',
    ],
    ['a key for an address', [KEY], 'The address must begin with http:// or https://.\n'],
    ['an invalid key', ['http://127.0.0.1:1', '--key', 'a\nb'], 'A key can only have letters'],
    ['an invalid timeout', ['http://127.0.0.1:1', '--timeout', '0'], 'It must be a whole number'],
    ['no address', [], "missing required argument 'url'"],
  ])('2, with one line on stderr, for %s', async (_, words, message) => {
    const { exitCode, stdout, stderr } = await run({}, 'conformance', '--key', KEY, ...words);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('2 if the key is refused', async () => {
    const { exitCode, stderr } = await check(conforming.url, '--key', 'wrong');
    expect([exitCode, stderr]).toEqual([2, 'The service does not accept the key (status 401).\n']);
  });

  test('2 if the report cannot be printed', async () => {
    expect(await inShell(broken.url, '> /dev/full')).toBe(2);
  });

  test('2 if the run stopped early, but 1 if a check had failed by then', async () => {
    const busy = { clock: new Clock(Date.now()), perMinute: { [KEY]: 10 } };
    using good = startReferenceServer(busy);
    using bad = startReferenceServer({
      ...busy,
      fault: onResponse(hasStatus(201), withStatus(200)),
    });
    for (const [{ url }, code] of [
      [good, 2],
      [bad, 1],
    ] as const) {
      const { exitCode, stdout } = await check(url, '--no-wait');
      expect(exitCode).toBe(code);
      expect(stdout).toContain('\n  The run stopped early. The limit of the key is used up');
    }
  });

  test('1 even if the reader closes the pipe', async () => {
    expect(await inShell(broken.url, '| true')).toBe(1);
  });
});

describe('the address', () => {
  test.each([
    ['https://pets.example', 'https://pets.example/v1'],
    ['https://pets.example/', 'https://pets.example/v1'],
    ['https://pets.example/v1/', 'https://pets.example/v1'],
    ['http://[::1]:8080/shop/v1', 'http://[::1]:8080/shop/v1'],
    ['https://pets.example/api', 'https://pets.example/api'],
  ])('%s becomes %s', (text, baseUrl) => {
    expect(parseBaseUrl(text)).toBe(baseUrl);
  });

  test.each([
    'pets.example',
    'ftp://pets.example/v1',
    'https://user@pets.example/v1',
    'https://:secret@pets.example/v1',
    'https://pets.example/v1?limit=1',
    'https://pets.example/v1#pets',
  ])('%s is refused', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(CannotRun);
  });
});

describe('a key', () => {
  const url = 'http://127.0.0.1:1';
  const unreachable = `Cannot reach ${url}/v1: no complete response (ECONNREFUSED).\n`;
  const noKey = 'No key. Set ANIMAL_STORE_API_KEY, pipe the key to standard input, or use --key';

  /** Runs the command with a text on standard input. */
  async function withInput(
    input: string | Blob,
    target: string,
    settings = {},
    ...words: string[]
  ) {
    const child = Bun.spawn(commandLine('conformance', target, ...words), {
      env: { PATH: Bun.env['PATH'] ?? '', ...settings },
      stdin: typeof input === 'string' ? new Blob([input]) : input,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { stdout, stderr };
  }

  test('is read from standard input, and a Free plan key from the second line', async () => {
    const report = await withInput(
      `${KEY}\r\n${FREE_KEY}\n`,
      conforming.url,
      {},
      '--no-wait',
      '--json',
    );
    const { results, failed } = JSON.parse(report.stdout) as Report;
    expect(failed).toBe(0);
    expect(results.find(({ id }) => id === 'limits.exceeded')?.outcome).toBe('passed');
    expect(report.stdout).not.toContain(KEY);
  });

  test.each([
    ['an option wins over the environment', '', { ANIMAL_STORE_API_KEY: 'é' }, ['--key', 'a']],
    ['the environment wins over standard input', 'é', { ANIMAL_STORE_API_KEY: 'a' }, []],
    ['--key - reads standard input', 'a', { ANIMAL_STORE_API_KEY: 'é' }, ['--key', '-']],
    ['--key-free - reads standard input', 'b', {}, ['--key', 'a', '--key-free', '-']],
  ])('%s', async (_, input, settings, words) => {
    const { stderr } = await withInput(input, url, settings, ...words);
    expect(stderr).toBe(unreachable);
  });

  test('is refused without being shown if it has other characters', async () => {
    const settings = { ANIMAL_STORE_API_KEY: KEY, ANIMAL_STORE_API_KEY_FREE: 'é-secret' };
    const { stderr } = await withInput('', url, settings);
    expect(stderr).toBe('A key can only have letters, digits and - . _ ~ + /.\n');
  });

  test.each([
    ['a long text', new Blob(['a'.repeat(5_000)])],
    ['an input without end', Bun.file('/dev/zero')],
  ])('is refused without being shown if it is %s', async (_, input) => {
    expect((await withInput(input, url)).stderr).toBe('A key can have up to 4,096 characters.\n');
  });

  test('on a plan, and the limits of Enterprise, come from the environment', async () => {
    const settings = { ANIMAL_STORE_API_KEY: KEY, ANIMAL_STORE_API_KEY_PRO_DAY: 'é-secret' };
    expect((await withInput('', url, settings)).stderr).toStartWith('A key can only have letters');
    const limits = { ANIMAL_STORE_API_KEY: KEY, ANIMAL_STORE_ENTERPRISE_LIMITS: '20' };
    expect((await withInput('', url, limits)).stderr).toBe(
      'ANIMAL_STORE_ENTERPRISE_LIMITS must be the requests a minute, up to 9999, and a day, such as 20/100.\n',
    );
  });

  test('that is missing is one line that names the ways, on a terminal too', async () => {
    expect((await withInput('', url)).stderr).toStartWith(noKey);
    for (const words of [[], ['--key', '-']]) {
      const shown = await terminalLines({}, 'conformance', url, ...words);
      expect(shown).toEqual([expect.stringContaining(noKey)]);
    }
  });

  test('that does not arrive is waited for with a word', async () => {
    const child = Bun.spawn(commandLine('conformance', url), {
      env: { PATH: Bun.env['PATH'] ?? '' },
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'pipe',
    });
    let shown = '';
    for await (const bytes of child.stderr) {
      shown += new TextDecoder().decode(bytes);
      if (shown.startsWith('Waiting for the key on standard input.')) {
        child.stdin.write(KEY);
        await child.stdin.end();
      }
    }
    expect(shown).toEndWith(unreachable);
  });
});

test('a terminal shows what failed in red at the end, unless NO_COLOR is set', async () => {
  const settings = { ANIMAL_STORE_API_KEY: KEY };
  const failed = '  ✗ An unknown id returns 404, up to the largest int64  [getPet.notFound]';
  const verdict = '✗ The deployment violates 1 of the 83 statements.';
  const colored = await terminalLines(settings, 'conformance', broken.url);
  expect(colored.slice(-5, -2)).toEqual([
    `\u001b[31m${failed}\u001b[39m`,
    '',
    `\u001b[31m${verdict}\u001b[39m`,
  ]);
  const plain = await terminalLines({ ...settings, NO_COLOR: '1' }, 'conformance', broken.url);
  expect(plain.slice(-5, -2)).toEqual([failed, '', verdict]);
});

test('a response cannot send control characters to the terminal', async () => {
  const clock = new Clock(Date.now());
  const fault = onResponse(
    hasStatus(404),
    ({ headers }) => new Response('\u009b2J\u202e', { headers }),
  );
  using hostile = startReferenceServer({ clock, fault });
  for (const words of [[], ['--json']]) {
    const { stdout } = await check(hostile.url, ...words);
    expect(stdout).toContain('\\u009b2J\\u202e');
    expect(stdout).not.toMatch(/[\u007f-\u009f\p{Cf}]/u);
  }
});

test('the target of a redirect is shown without control characters and without the key', async () => {
  const clock = new Clock(Date.now());
  const headers = { Location: `https://new.invalid/\u009b?key=${KEY}` };
  const fault = onResponse(
    () => true,
    () => new Response(null, { status: 308, headers }),
  );
  using moved = startReferenceServer({ clock, fault });
  const { stderr } = await check(moved.url);
  expect(stderr).toContain('https://new.invalid/\\u009b?key=(key).');
});

test('a terminal shows progress and is left clean', async () => {
  const shown = await onTerminal(`${quotedCommand(conforming.url)} > /dev/null`);
  expect(shown).toMatch(/Checked \[[#-]{30}\] \d+ % \d+ of \d+/);
  expect(shown).toEndWith('\r\u001b[K');
});

test('the progress bar appears at the first step, however early that is', async () => {
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
  const fault: Fault = (request, conforming) => {
    if (!isGetPet(request)) return conforming(request);
    reached.resolve();
    return new Promise<Response>(() => {});
  };
  using hanging = startReferenceServer({ clock, fault });
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

/** Everything that a command shows on a pseudo-terminal. */
async function onTerminal(command: string): Promise<string> {
  const script = requireProgram('script', 'bsdutils');
  const terminal = Bun.spawn([script, '-qec', command, '/dev/null'], {
    stdin: 'ignore',
    stdout: 'pipe',
  });
  return await new Response(terminal.stdout).text();
}
