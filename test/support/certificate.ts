import { join } from 'node:path';
import { requireProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A certificate for 127.0.0.1, signed by a private authority. */
export class TestCertificate implements Disposable {
  readonly #folder = temporaryFolder();
  readonly authorityFile = join(this.#folder.path, 'authority.pem');
  readonly certificateFile = join(this.#folder.path, 'certificate.pem');
  readonly keyFile = join(this.#folder.path, 'key.pem');

  constructor() {
    const authorityKey = join(this.#folder.path, 'authority-key.pem');
    makeCertificate('Authority', authorityKey, this.authorityFile);
    makeCertificate(
      'Redis',
      this.keyFile,
      this.certificateFile,
      ...['-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...['-CA', this.authorityFile, '-CAkey', authorityKey],
    );
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

function makeCertificate(name: string, keyFile: string, file: string, ...words: string[]): void {
  const { success, stderr } = Bun.spawnSync([
    ...[requireProgram('openssl'), 'req', '-x509', '-days', '2', '-subj', `/CN=${name}`],
    ...['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', file, ...words],
  ]);
  if (!success) throw new Error(`openssl failed: ${stderr}`);
}

/** True if a server accepts an exchange of keys with forward secrecy, and refuses one without. */
export function hasForwardSecrecy(url: string): boolean {
  const curl = [requireProgram('curl'), '-sk', '--tls-max', '1.2', url, '--ciphers'];
  const accepts = (cipher: string) => Bun.spawnSync([...curl, cipher]).success;
  return accepts('ECDHE-RSA-AES128-GCM-SHA256') && !accepts('AES128-GCM-SHA256');
}
