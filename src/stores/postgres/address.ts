import { SQL } from 'bun';
import type { BackendOptions } from '../../domain/backend.ts';
import { OperatorError } from '../../domain/error.ts';
import { UNREACHABLE, withoutBrackets } from '../../domain/server-url.ts';
import { withDeadline } from '../sql/jobs.ts';

const DEFAULT_PORT = 5432;
const CONNECT_MS = 2_000;

/** The driver's code for an error that the server sent. */
const SERVER_ERROR = 'ERR_POSTGRES_SERVER_ERROR';

/** A URL for the operator to read. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/** One line about a server that cannot be used: the reason, and the next step. */
export async function cannotUseServer(
  { url, setting }: BackendOptions,
  error: Error,
): Promise<OperatorError> {
  const { message } = error;
  const isSilent = error instanceof SQL.PostgresError && error.code !== SERVER_ERROR;
  const reason = (isSilent && (await whyUnreachable(url))) || message;
  const advice = message.includes('certificate')
    ? `Set NODE_EXTRA_CA_CERTS to the certificate of its CA, or check ${setting}.`
    : `Check the server and ${setting}.`;
  return new OperatorError(`Cannot use ${withoutPassword(url)}: ${reason}. ${advice}`);
}

/** The driver does not report it. */
async function whyUnreachable(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const connecting = Bun.connect({
    hostname: withoutBrackets(hostname),
    port: Number(port) || DEFAULT_PORT,
    socket: { data() {}, error() {} },
  });
  const late = () => Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  try {
    (await withDeadline(CONNECT_MS, connecting, late)).end();
    return undefined;
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    return UNREACHABLE[code] ?? message;
  }
}
