import { OperatorError } from '../domain/error.ts';

/** A whole number on the command line. */
export function parseCount(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new OperatorError(`A whole number was expected, not "${text}".`);
}
