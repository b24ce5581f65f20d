import { join } from 'node:path';
import { requireProgram } from './programs.ts';
import { newFile } from './temporary-folder.ts';

/** The paths of a certificate for 127.0.0.1, of its key, and of the private authority that signed it. */
export type TestCertificate = ReturnType<typeof newCertificate>;

export function newCertificate() {
  const { folder } = newFile();
  const authorityFile = join(folder, 'authority.pem');
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const authorityKey = join(folder, 'authority-key.pem');
  makeCertificate('Authority', authorityKey, authorityFile);
  makeCertificate(
    'Redis',
    keyFile,
    certificateFile,
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-CA', authorityFile, '-CAkey', authorityKey],
  );
  return { authorityFile, certificateFile, keyFile };
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
