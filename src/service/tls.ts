import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/error.ts';

/** Reads and checks the certificate and its key. Undefined without TLS. */
export function readTls({ tlsFiles }: Config): { cert: string; key: string } | undefined {
  if (tlsFiles === undefined) return undefined;
  const cert = readSetting('TLS_CERT_FILE', tlsFiles.cert);
  const key = readSetting('TLS_KEY_FILE', tlsFiles.key);
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
