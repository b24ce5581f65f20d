import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '#config.ts';
import { OperatorError } from '#domain/error.ts';

/** Starts a listener. If its address cannot be used, throws an `OperatorError` that names the setting to change. */
export async function startListener<T>(
  config: Config,
  prefix: '' | 'OPERATOR_',
  start: (listen: { readonly hostname: string; readonly port: number }) => T,
): Promise<T> {
  const settingOf = (name: 'HOST' | 'PORT') =>
    prefix === '' ? `--${name.toLowerCase()} or ${name}` : prefix + name;
  const hostname = config[`${prefix}HOST`];
  const port = config[`${prefix}PORT`];
  try {
    return start({ hostname, port });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // Bun reports an unknown host name as a port that is in use.
    const known = await lookup(hostname).catch(() => undefined);
    if (known === undefined || code === 'EADDRNOTAVAIL') {
      throw new OperatorError(
        `${settingOf('HOST')} must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of ` +
          `them, not "${hostname}".`,
      );
    }
    if (code === 'EADDRINUSE') {
      throw new OperatorError(
        `Port ${port} on ${hostname} is in use. ` +
          `Stop the program that uses it, or choose another port with ${settingOf('PORT')}.`,
      );
    }
    throw new OperatorError(
      `Cannot listen on ${hostname}, port ${port}: ${code ?? message}. Check ${settingOf('HOST')}, and ` +
        `${settingOf('PORT')}. A port below 1024 needs the capability CAP_NET_BIND_SERVICE.`,
    );
  }
}

/** Reads and checks the certificate and its key. Returns undefined without TLS. */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: Config) {
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) return undefined;
  try {
    const cert = readFileSync(TLS_CERT_FILE, 'utf8');
    const key = readFileSync(TLS_KEY_FILE, 'utf8');
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    throw new OperatorError(
      'TLS_CERT_FILE and TLS_KEY_FILE must be PEM files with a certificate and its key: ' +
        `${(error as Error).message}.`,
    );
  }
}
