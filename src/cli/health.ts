import { OperatorError } from '#domain/error.ts';
import { isWildcard } from '#formats/server-url.ts';
import type { Cli, CliCommand } from './cli.ts';

const TIMEOUT_MS = 5_000;

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('exit with 0 if the service at OPERATOR_HOST and OPERATOR_PORT is ready')
    .action(async () => {
      const { OPERATOR_HOST, OPERATOR_PORT } = cli.config;
      const host = isWildcard(OPERATOR_HOST) ? 'localhost' : OPERATOR_HOST;
      const address = `http://${host.includes(':') ? `[${host}]` : host}:${OPERATOR_PORT}`;
      // The environment may name a proxy, which cannot reach a service on loopback.
      const options = { proxy: false, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
      const { ok } = await fetch(`${address}/health/ready`, options).catch(() => {
        throw new OperatorError(`Cannot reach ${address}. Is the service running?`);
      });
      if (!ok) cli.exitCode = 1;
      const status = ok ? 'ready' : 'not ready';
      await cli.print({ status }, [status]);
    });
}
