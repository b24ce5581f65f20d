import { describe, expect, test } from 'bun:test';
import { SETTINGS } from '../../src/config.ts';
import { run } from '../support/command.ts';

test('serve --help lists every setting with its meaning and its default', async () => {
  const { stdout } = await run({}, 'serve', '--help');
  const text = stdout.replace(/\s+/g, ' ');
  for (const { name, meaning, defaultValue } of SETTINGS) {
    expect(text).toContain(` ${name} ${meaning} (default: ${defaultValue})`);
  }
  for (const option of ['--host <address>', '--port <number>', '--database <url>']) {
    expect(text).toContain(option);
  }
});

describe('an unknown option is answered with the setting or the option that does it', () => {
  test.each([
    ['serve --operator-port 1', 'Set OPERATOR_PORT in the environment: OPERATOR_PORT=… '],
    ['serve --log-level=info', 'Set LOG_LEVEL in the environment: LOG_LEVEL=… '],
    [
      'serve --redis x',
      'Set REDIS_URL in the environment: REDIS_URL=… npx --no animal-store serve',
    ],
    ['serve --cert x', 'Set TLS_CERT_FILE in the environment'],
    ['serve --tls x', 'Set TLS_CERT_FILE or TLS_KEY_FILE in the environment'],
    ['serve --no-demo', 'Set DEMO in the environment: DEMO=… '],
    ['serve --trusted-proxy 1', 'Set TRUSTED_PROXIES in the environment'],
    ['serve --prot 1', '(Did you mean --port?)'],
    ['serve -p 1', '(Did you mean --port?)'],
    ['serve --bind x', '(Did you mean --host?)'],
    ['accounts list --db x', '(Did you mean --database?)'],
    ['accounts list --databaze x', '(Did you mean --database?)'],
    ['health --port 80', 'OPERATOR_PORT=… npx --no animal-store health'],
    ['health -p 80', 'OPERATOR_PORT=… npx --no animal-store health'],
    ['health --bind x', 'OPERATOR_HOST=… npx --no animal-store health'],
  ])('%s', async (line, hint) => {
    const { exitCode, stderr } = await run({}, ...line.split(' '));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(hint);
  });

  test.each([
    ['serve --colour', 'no setting is like it'],
    ['accounts list --port', 'the command does not read the setting'],
    ['keys list --host', 'the command does not read the setting'],
    ['health --log-level', 'the command does not read the setting'],
    ['openapi --port', 'the command does not read the setting'],
  ])('except %s, because %s', async (line) => {
    const { stderr } = await run({}, ...line.split(' '));
    expect(stderr).toBe(`error: unknown option '${line.split(' ').at(-1)}'\n`);
  });
});
