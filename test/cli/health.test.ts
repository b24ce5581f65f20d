import { afterAll, describe, expect, test } from 'bun:test';
import { run, runProcess, serve } from '../support/command.ts';
import { newFile } from '../support/temporary-folder.ts';

/** No server of these tests gets this port. */
const CLOSED = '1';

const service = await serve(newFile().settings);
const { port: OPERATOR_PORT } = new URL(service.started.operator);
afterAll(() => service[Symbol.asyncDispose]());

describe('health', () => {
  test('exits with 0 when the service of the settings is ready', async () => {
    expect(await run({ OPERATOR_PORT }, 'health --verbose')).toEqual({
      exitCode: 0,
      stdout: 'ready\nlast backup: none is known\n',
      stderr: '',
    });
  });

  test('finds a service that listens on all addresses, without the proxy of the environment', async () => {
    const proxy = 'http://127.0.0.1:1';
    const settings = { OPERATOR_HOST: '0.0.0.0', HTTP_PROXY: proxy, http_proxy: proxy };
    // Bun reads the proxy from the environment of the process.
    const { stdout } = await runProcess({ OPERATOR_PORT, ...settings }, 'health --json');
    expect(JSON.parse(stdout)).toEqual({ status: 'ready' });
  });

  test.each([
    ['--port or PORT', { PORT: new URL(service.started.listening).port }],
    ['OPERATOR_PORT', { OPERATOR_PORT }],
  ])('of another service on the same port: a start fails, and names %s', async (name, port) => {
    const { stderr } = await run({ ...newFile().settings, ...port }, 'serve');
    expect(stderr).toBe(
      `Port ${Object.values(port)} on 127.0.0.1 is in use. Stop the program that uses it, ` +
        `or choose another port with ${name}.\n`,
    );
  });
});
