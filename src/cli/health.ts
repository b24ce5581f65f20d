import { OperatorError } from '#domain/error.ts';
import { formatTime } from '#domain/time-text.ts';
import { isWildcard } from '#formats/server-url.ts';
import type { Cli, CliCommand } from './cli.ts';
import { formatCount } from './text.ts';

const TIMEOUT_MS = 5_000;

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('exit with 0 if the service at OPERATOR_HOST and OPERATOR_PORT is ready')
    .option('--verbose', 'also say when the last backup was made, and how large it is')
    .action(async ({ verbose }: { verbose?: boolean }) => {
      const { ok } = await fetchFromService(cli, '/health/ready');
      if (!ok) cli.exitCode = 1;
      const status = ok ? 'ready' : 'not ready';
      if (!verbose) return cli.print({ status }, [status]);
      const metrics = await (await fetchFromService(cli, '/metrics')).text();
      const values = metrics.matchAll(/^animal_store_last_backup_\w+ (.+)/gm);
      const [seconds, bytes] = Array.from(values, ([, value]) => Number(value));
      const lastBackup = seconds ? { at: formatTime(seconds * 1000), bytes } : null;
      const made = lastBackup
        ? `${lastBackup.at}, ${formatCount(bytes ?? 0)} bytes`
        : 'none is known';
      await cli.print({ status, lastBackup }, [status, `last backup: ${made}`]);
    });
}

/** Sends a request to the operator listener of the service that the settings name. */
export function fetchFromService({ config }: Cli, path: string, headers = {}): Promise<Response> {
  const { OPERATOR_HOST, OPERATOR_PORT } = config;
  const host = isWildcard(OPERATOR_HOST) ? 'localhost' : OPERATOR_HOST;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${OPERATOR_PORT}`;
  // The environment may name a proxy, which cannot reach a service on loopback.
  const options = { headers, proxy: false, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  return fetch(`${address}${path}`, options).catch(() => {
    throw new OperatorError(`Cannot reach ${address}. Is the service running?`);
  });
}
