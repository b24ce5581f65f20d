import { printable, styled } from './printable.ts';

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

interface Terminal {
  /** Undefined if lines may have any length. */
  readonly columns: number | undefined;
  readonly hasColors: boolean;
}

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  terminal: Terminal,
): string[] {
  const width = terminal.columns ?? Number.POSITIVE_INFINITY;
  const all = columns.map((column) => {
    const cells = rows.map((row) => printable(column.cell(row)));
    return { ...column, cells, width: Math.max(...[column.heading, ...cells].map(widthOf)) };
  });
  const shown = fit(all, width);
  const headings = shown.map((column) => paint('bold', column.heading, column, terminal));
  const lines = rows.map((row, index) =>
    shown.map((column) => paint(column.color?.(row), column.cells[index] ?? '', column, terminal)),
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
  terminal: Terminal,
): string {
  const fitting = cut(text, width);
  const padding = ' '.repeat(width - widthOf(fitting));
  const painted = color === undefined ? fitting : styled(color, fitting, terminal);
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
