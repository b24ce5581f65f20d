import { withDeadline } from './deadline.ts';

const CONNECT_MS = 2_000;

/** By the code of the error. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  ECONNREFUSED: 'no server accepts connections there',
  ETIMEDOUT: 'no response in time',
};

/** The reason why a server cannot be reached, which its driver does not report. */
export async function whyUnreachable(hostname: string, port: number): Promise<string | undefined> {
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
