import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../domain/error.ts';
import { printable } from './printable.ts';

/** Asks on a terminal, and throws unless the operator agrees. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new OperatorError('Nothing was changed: there is no terminal to ask on. Add --yes.');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D close the question without an answer.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const asked = terminal.question(`${printable(question)} [y/N] `).catch(() => '');
  const answer = await Promise.race([asked, closed]);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was changed.');
}
