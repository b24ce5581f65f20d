import { lookup } from 'node:dns/promises';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/error.ts';

interface Listen {
  readonly hostname: string;
  readonly port: number;
}

/** Starts a listener. If its address is not available, says why, and names the setting to change. */
export async function startListener<T>(
  { sourceOf }: Config,
  prefix: '' | 'OPERATOR_',
  listen: Listen,
  start: () => T,
): Promise<T> {
  const host = sourceOf(`${prefix}HOST`);
  const port = sourceOf(`${prefix}PORT`);
  try {
    return start();
  } catch (error) {
    throw new OperatorError(await explain(listen, host, port, error as Failure));
  }
}

interface Failure {
  readonly code?: string;
  readonly message: string;
}

async function explain(
  { hostname, port }: Listen,
  hostSource: string,
  portSource: string,
  { code, message }: Failure,
): Promise<string> {
  // Bun reports an unknown name as a port in use.
  const isKnown = await lookup(hostname).then(
    () => true,
    () => false,
  );
  if (!isKnown || code === 'EADDRNOTAVAIL') {
    return (
      `${hostSource} must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of ` +
      `them, not "${hostname}".`
    );
  }
  if (code === 'EADDRINUSE') {
    return (
      `Port ${port} on ${hostname} is in use. ` +
      `Stop the program that uses it, or set ${portSource} to another port.`
    );
  }
  if (code === 'EACCES') {
    return (
      `No permission to listen on port ${port}. Set ${portSource} to 1024 or higher, ` +
      'or give the process the capability CAP_NET_BIND_SERVICE.'
    );
  }
  return `Cannot listen on ${hostname}, port ${port}: ${message}. Check ${hostSource} and ${portSource}.`;
}
