import { cpus, release, totalmem } from 'node:os';
import { benchNode, loadGenerator } from './load.ts';

/** What the figures were measured on; they mean nothing elsewhere. */
export function describeMachine(): Readonly<Record<string, string>> {
  const [core] = cpus();
  return {
    processor: `${core?.model.trim()}, ${cpus().length} cores`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${process.platform} ${release()}`,
    Bun: Bun.version,
    'Node.js': versionOf([benchNode(), '--version']),
    nginx: versionOf(['nginx', '-v']),
    load: `${loadGenerator()} ${versionOf([loadGenerator(), '-v'])}`.trim(),
  };
}

/** The first number with dots that a program prints about itself. */
function versionOf(words: string[]): string {
  if (Bun.which(words[0] ?? '') === null) return '';
  const { stdout, stderr } = Bun.spawnSync(words);
  return /\d+\.\d+[.\d]*/.exec(`${stdout}${stderr}`)?.[0] ?? '';
}
