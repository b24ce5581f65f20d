import { formatCount } from './output.ts';

/** For text that is written unchanged into CSV. */
export function formulaWarning(texts: 'Names' | 'Labels', count: number): string {
  return (
    `${texts} that begin with =, +, - or @: ${formatCount(count)}. A spreadsheet may run them as formulas: ` +
    'import the column as text.'
  );
}
