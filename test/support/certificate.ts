import { join } from 'node:path';
import { requireProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate for 127.0.0.1, signed by a private authority. */
export class TestCertificate implements Disposable {
  readonly #folder = temporaryFolder();
  readonly authorityFile = join(this.#folder.path, 'authority.pem');
  readonly certificateFile = join(this.#folder.path, 'certificate.pem');
  readonly keyFile = join(this.#folder.path, 'key.pem');

  constructor() {
    const authorityKey = join(this.#folder.path, 'authority-key.pem');
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-days', '2', '-subj', '/CN=Authority'],
      ...['-keyout', authorityKey, '-out', this.authorityFile],
    );
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-days', '2', '-subj', '/CN=Redis'],
      ...[
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-addext',
        'basicConstraints=critical,CA:FALSE',
      ],
      ...['-CA', this.authorityFile, '-CAkey', authorityKey],
      ...['-keyout', this.keyFile, '-out', this.certificateFile],
    );
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

function openssl(...words: string[]): void {
  const { success, stderr } = Bun.spawnSync([requireProgram('openssl'), ...words]);
  if (!success) throw new Error(`openssl failed: ${stderr}`);
}
