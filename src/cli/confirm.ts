import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../domain/error.ts';
import { printable } from './printable.ts';

/** Asks on a terminal, and throws unless the operator agrees. A script is not asked. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const agreed = await terminal.question(`${printable(question)} [y/N] `);
    if (/^y(es)?$/i.test(agreed.trim())) return;
  } finally {
    terminal.close();
  }
  throw new OperatorError('Nothing was changed.');
}
