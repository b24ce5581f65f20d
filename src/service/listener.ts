import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/error.ts';

/** Starts a listener. If its address is not available, says why, and names the setting to change. */
export async function startListener<T>(
  config: Config,
  prefix: '' | 'OPERATOR_',
  start: (listen: { readonly hostname: string; readonly port: number }) => T,
): Promise<T> {
  const hostname = config[`${prefix}HOST`];
  const port = config[`${prefix}PORT`];
  try {
    return start({ hostname, port });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const hostSetting = config.sourceOf(`${prefix}HOST`);
    const portSetting = config.sourceOf(`${prefix}PORT`);
    // Bun reports an unknown name as a port in use.
    const isKnown = await lookup(hostname).then(
      () => true,
      () => false,
    );
    if (!isKnown || code === 'EADDRNOTAVAIL') {
      throw new OperatorError(
        `${hostSetting} must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of ` +
          `them, not "${hostname}".`,
      );
    }
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} on ${hostname} is in use. ` +
          `Stop the program that uses it, or set ${portSetting} to another port.`,
      );
    }
    if (code === 'EACCES') {
      throw new OperatorError(
        `No permission to listen on port ${port}. Set ${portSetting} to 1024 or higher, ` +
          'or give the process the capability CAP_NET_BIND_SERVICE.',
      );
    }
    throw new OperatorError(
      `Cannot listen on ${hostname}, port ${port}: ${message}. Check ${hostSetting} and ${portSetting}.`,
    );
  }
}

/** Reads and checks the certificate and its key. Undefined without TLS. */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: Config) {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  const cert = readSetting('TLS_CERT_FILE', TLS_CERT_FILE);
  const key = readSetting('TLS_KEY_FILE', TLS_KEY_FILE);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new OperatorError(
      'TLS_CERT_FILE and TLS_KEY_FILE are not a certificate and its key: ' +
        `${(error as Error).message}.`,
    );
  }
  return { cert, key };
}

function readSetting(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      `${setting} cannot be read: ${message}. ` +
        'It must name a PEM file that the user of the service can read.',
    );
  }
}
