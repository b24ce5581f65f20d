import { readdirSync, rmSync, writeFileSync } from 'node:fs';

/** Writes dist/SHA256SUMS, which `sha256sum --check` reads, for the files of a release. */
const lines: string[] = [];
rmSync('dist/SHA256SUMS', { force: true });
for (const name of readdirSync('dist').sort()) {
  const content = await Bun.file(`dist/${name}`).bytes();
  lines.push(`${new Bun.CryptoHasher('sha256').update(content).digest('hex')}  ${name}\n`);
}
writeFileSync('dist/SHA256SUMS', lines.join(''));
console.log(`dist/SHA256SUMS  ${lines.length} files`);
