import { OperatorError } from '#domain/error.ts';
import type { FailedRequest, PageOfRows } from '#operator/console-api/shapes.ts';
import type { Cli, CliCommand } from './cli.ts';
import { fetchFromService } from './health.ts';
import { type Columns, formatTable } from './text.ts';

const COLUMNS: Columns<FailedRequest> = {
  FIRST: 'firstAt',
  LAST: 'at',
  REQUESTS: 'count',
  ACCOUNT: 'account',
  KEY: 'key',
  OPERATION: 'operation',
  STATUS: 'status',
  CODE: 'code',
  ADDRESS: 'address',
  'LAST X-REQUEST-ID': 'requestId',
};

export function define(group: CliCommand, cli: Cli): void {
  group
    .description('ask the service at OPERATOR_HOST and OPERATOR_PORT for requests that failed')
    .command('find <id>')
    .description('say when a request arrived and why it failed, by its X-Request-Id')
    .action(async (requestId: string) => {
      await printRequests(cli, { requestId });
    });
}

/** Prints the failed requests that the running service has in memory. The store may be away. */
export async function printRequests(cli: Cli, query: Record<string, string>): Promise<number> {
  const { OPERATOR_TOKEN } = cli.config;
  if (OPERATOR_TOKEN === undefined) {
    throw new OperatorError(
      'Set OPERATOR_TOKEN to the token of the service. A service without this setting prints its token when it starts.',
    );
  }
  const path = `/api/requests?${new URLSearchParams(query)}`;
  const response = await fetchFromService(cli, path, { Authorization: `Bearer ${OPERATOR_TOKEN}` });
  const body = (await response.json()) as PageOfRows<FailedRequest> & { readonly error?: string };
  if (body.error !== undefined) throw new OperatorError(body.error);
  const { rows, note = '' } = body;
  await cli.print(body, [...(rows.length > 0 ? formatTable(COLUMNS, rows) : []), note]);
  return rows.length;
}
