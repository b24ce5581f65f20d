import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/error.ts';
import { isWildcard } from '../domain/server-url.ts';
import type { Cli } from './cli.ts';

const TIMEOUT_MS = 5_000;

export function define(command: Command, cli: Cli): void {
  command
    .description('exit with 0 if the service at OPERATOR_HOST and OPERATOR_PORT is ready')
    .action(async () => {
      const status = (await isReady(readinessUrl(cli.config))) ? 'ready' : 'not ready';
      if (status !== 'ready') cli.exitCode = 1;
      await cli.print({ status }, [status]);
    });
}

function readinessUrl({ OPERATOR_HOST, OPERATOR_PORT }: Config): URL {
  const host = isWildcard(OPERATOR_HOST) ? 'localhost' : OPERATOR_HOST;
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}:${OPERATOR_PORT}/health/ready`);
}

async function isReady(url: URL): Promise<boolean> {
  try {
    // The environment may name a proxy, which cannot reach a service on loopback.
    const response = await fetch(url, { proxy: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok;
  } catch {
    throw new OperatorError(`Cannot reach ${url.origin}. Is the service running?`);
  }
}
