import { SQL } from 'bun';
import { OperatorError } from '../../domain/error.ts';
import { UNREACHABLE, withoutBrackets } from '../../domain/server-url.ts';
import { withDeadline } from '../sql/jobs.ts';

const DEFAULT_PORT = 5432;
const CONNECT_MS = 2_000;

/** Where a URL leads, without the password. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export function addressOf(url: string): Address {
  const { hostname, port, username, pathname } = new URL(url);
  const user = decodeURIComponent(username) || 'postgres';
  return {
    hostname: withoutBrackets(hostname),
    port: Number(port) || DEFAULT_PORT,
    user,
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

export function requireKnownSslMode(url: string, setting: string): void {
  const mode = new URL(url).searchParams.get('sslmode');
  if (mode === null || SSL_MODES.includes(mode)) return;
  const known = SSL_MODES.join(', ');
  throw new OperatorError(`sslmode in ${setting} must be one of ${known}, not "${mode}".`);
}

export function describeAddress({ hostname, port, database }: Address): string {
  return `the PostgreSQL database "${database}" at ${hostname}:${port}`;
}

/** One line about a server that cannot be used: the reason, and the next step. */
export async function cannotUse(
  address: Address,
  setting: string,
  error: unknown,
): Promise<OperatorError> {
  const isRefusal = error instanceof SQL.PostgresError && error.code === SERVER_ERROR;
  const [reason, advice] = isRefusal
    ? refusal(address, setting, error)
    : [
        (await whyUnreachable(address)) ?? (error as Error).message,
        (error as Error).message.includes('certificate')
          ? `Set NODE_EXTRA_CA_CERTS to the certificate of its CA, or check ${setting}.`
          : `Check that the server runs, and check ${setting}.`,
      ];
  return new OperatorError(`Cannot use ${describeAddress(address)}: ${reason}. ${advice}`);
}

/** The driver does not report it. */
async function whyUnreachable({ hostname, port }: Address): Promise<string | undefined> {
  const connecting = Bun.connect({ hostname, port, socket: { data() {}, error() {} } });
  const late = () => Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  try {
    (await withDeadline(CONNECT_MS, connecting, late)).end();
    return undefined;
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    return UNREACHABLE[code] ?? message;
  }
}

/** The driver's code for an error that the server sent. */
const SERVER_ERROR = 'ERR_POSTGRES_SERVER_ERROR';

function refusal(
  { hostname, port, user, database }: Address,
  setting: string,
  { errno = '', message }: SQL.PostgresError,
): [reason: string, advice: string] {
  const check = `Check ${setting}.`;
  if (errno === '28P01') return [`the password of user "${user}" is wrong or missing`, check];
  if (errno === '3D000') {
    const create = `createdb -h ${hostname} -p ${port} -U ${user} ${database}`;
    return ['it does not exist', `Check ${setting}, or create it: ${create}`];
  }
  if (errno === '53300') {
    return [
      message,
      'Lower DATABASE_CONNECTIONS of the instances, or raise max_connections of the server.',
    ];
  }
  if (errno === '42501') return [message, `User "${user}" needs the right to create tables.`];
  return [message, check];
}
