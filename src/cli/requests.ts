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
  CODE: 'code',
  ADDRESS: 'address',
  'LAST X-REQUEST-ID': 'requestId',
};

type Found = PageOfRows<FailedRequest> & { readonly error: string };

export function define(group: CliCommand, cli: Cli): void {
  group
    .description('ask the running service for a request')
    .command('find <id>')
    .description('say when a request arrived and, if it failed, how, by its X-Request-Id')
    // An empty id is refused too. The service would take it for a filter that is not set.
    .action((id: string) => printRequests(cli, { requestId: id || ' ' }));
}

/** Prints the failed requests that the service of the settings remembers. It does not need its store for this. */
export async function printRequests(cli: Cli, query: Record<string, string>): Promise<void> {
  const { OPERATOR_TOKEN: token } = cli.config;
  if (token === undefined) {
    throw new OperatorError(
      'Set OPERATOR_TOKEN to a token that signs in to the console: your own, or that of the service.',
    );
  }
  const path = `/api/requests?${new URLSearchParams(query)}`;
  const response = await fetchFromService(cli, path, { Authorization: `Bearer ${token}` });
  const body = (await response.json().catch(() => ({}))) as Partial<Found>;
  const { rows, note = '', error = `${response.url} is not the console of a service.` } = body;
  if (rows === undefined) throw new OperatorError(error);
  const table = rows.length === 0 ? [] : formatTable(COLUMNS, rows);
  await cli.print(body, [...table, note]);
}
