import { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/error.ts';
import { isWildcard } from '../domain/server-url.ts';
import type { Cli } from './cli.ts';

const READINESS_PATH = '/health/ready';
const TIMEOUT_MS = 5_000;

export function healthCommand(cli: Cli): Command {
  return new Command('health')
    .description('check that a service on this machine is ready; for container health checks')
    .argument('[url]', 'the operator listener (default: OPERATOR_HOST and OPERATOR_PORT)')
    .addHelpText('after', '\nExit code: 0 if the service is ready, else 1.')
    .action(async (given: string | undefined) => {
      const url = new URL(
        READINESS_PATH,
        given === undefined ? operatorUrl(cli.config) : parse(given),
      );
      const status = (await isReady(url)) ? 'ready' : 'not ready';
      if (status !== 'ready') cli.exitCode = 1;
      await cli.print({ status }, [status]);
    });
}

function operatorUrl({ operatorHostname, operatorPort }: Config): string {
  if (operatorPort === 0) {
    throw new OperatorError('OPERATOR_PORT is 0, so the port is unknown. Pass the URL.');
  }
  const host = isWildcard(operatorHostname) ? 'localhost' : operatorHostname;
  return `http://${host.includes(':') ? `[${host}]` : host}:${operatorPort}`;
}

function parse(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new OperatorError(`The URL must look like http://127.0.0.1:8081, not "${text}".`);
}

async function isReady(url: URL): Promise<boolean> {
  try {
    // The environment may name a proxy, which cannot reach a service on loopback.
    const response = await fetch(url, { proxy: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok;
  } catch (error) {
    const { code, name, message } = error as Error & { code?: string };
    if (code === 'ECONNREFUSED') throw new OperatorError(`No service listens on ${url.origin}.`);
    if (name === 'TimeoutError') {
      throw new OperatorError(`${url.origin} did not respond within ${TIMEOUT_MS / 1000} seconds.`);
    }
    throw new OperatorError(`Cannot reach ${url.origin}: ${message}`);
  }
}
