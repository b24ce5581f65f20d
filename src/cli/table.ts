import { styleText } from 'node:util';
import { type JsonOption, print, writeLines } from './output.ts';
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'right';
  /** If the terminal is too narrow, columns are first left out, then cut. Others keep their width. */
  readonly narrow?: 'leave out' | 'cut';
  readonly color?: (row: Row) => Color | undefined;
}

type Color = 'green' | 'yellow' | 'red' | 'gray';

const GAP = '  ';
const SHORTEST_CUT = 8;

/**
 * Prints rows as a table, or as one JSON array. A terminal gets colors and a table that fits its
 * width. A pipe gets the same table at full width, so that nothing is missing.
 */
export async function printTable<Row>(
  json: JsonOption['json'],
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<void> {
  if (json) return print(json, rows, []);
  // A terminal that does not report its width has 0 columns.
  const width = process.stdout.columns || Number.POSITIVE_INFINITY;
  await writeLines(formatTable(columns, rows, width));
}

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const all = columns.map((column) => {
    const cells = rows.map((row) => printable(column.cell(row)));
    return { ...column, cells, width: Math.max(...[column.heading, ...cells].map(widthOf)) };
  });
  const shown = fit(all, width);
  const headings = shown.map((column) => paint('bold', column.heading, column));
  const lines = rows.map((row, index) =>
    shown.map((column) => paint(column.color?.(row), column.cells[index] ?? '', column)),
  );
  return [headings, ...lines].map((cells) => cut(cells.join(GAP).trimEnd(), width));
}

interface Sized {
  readonly narrow?: Column<never>['narrow'];
  width: number;
}

/** Leaves out columns from the right, then cuts the widest, until the table fits. */
function fit<C extends Sized>(columns: readonly C[], width: number): C[] {
  const shown = [...columns];
  const excess = () =>
    shown.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length) - width;
  for (const column of columns.toReversed()) {
    if (excess() <= 0) return shown;
    if (column.narrow === 'leave out') shown.splice(shown.indexOf(column), 1);
  }
  const cuttable = shown.filter(({ narrow }) => narrow === 'cut');
  while (excess() > 0) {
    const [widest] = cuttable.toSorted((a, b) => b.width - a.width);
    if (widest === undefined || widest.width <= SHORTEST_CUT) break;
    widest.width--;
  }
  return shown;
}

/** Only the text is colored, so that the padding at the end of a line can be removed. */
function paint(
  color: Color | 'bold' | undefined,
  text: string,
  { width, align }: { readonly width: number; readonly align?: 'right' },
): string {
  const fitting = cut(text, width);
  const padding = ' '.repeat(width - widthOf(fitting));
  // `styleText` obeys NO_COLOR, but FORCE_COLOR would also color a pipe.
  const painted =
    color !== undefined && process.stdout.isTTY
      ? styleText(color, fitting, { stream: process.stdout })
      : fitting;
  return align === 'right' ? padding + painted : painted + padding;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const shorter = Bun.sliceAnsi(text, 0, width, '…');
  // Bun 1.4 exceeds the width by one if half of a wide character would fit.
  return widthOf(shorter) <= width ? shorter : Bun.sliceAnsi(text, 0, width - 1, '…');
}

function widthOf(text: string): number {
  return Bun.stringWidth(text);
}
