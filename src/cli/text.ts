/** Control characters, invisible characters, those that change direction, and line ends. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes text from strangers so that it cannot control the terminal. JSON keeps its meaning. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** "1 pet", "2,000 pets" */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The cells of a table by their headings. The most important come first: a terminal cuts the last. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number>>;

const GAP = '  ';

/** Numbers are aligned to the right. Lines end at `maxWidth`, if it is given. */
export function formatTable<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  maxWidth: number | undefined,
): string[] {
  const lines: string[][] = [[], ...rows.map(() => [])];
  for (const [heading, cellOf] of Object.entries(columns)) {
    const values = rows.map(cellOf);
    const cells = [heading, ...values.map(cellText)];
    const width = cells.reduce((most, cell) => Math.max(most, Bun.stringWidth(cell)), 0);
    const isRight = typeof values[0] === 'number';
    for (const [index, cell] of cells.entries()) {
      const padding = ' '.repeat(width - Bun.stringWidth(cell));
      lines[index]?.push(isRight ? padding + cell : cell + padding);
    }
  }
  return lines.map((cells) => cut(cells.join(GAP).trimEnd(), maxWidth));
}

function cellText(value: string | number): string {
  return typeof value === 'number' ? formatCount(value) : printable(value);
}

function cut(line: string, width = Number.POSITIVE_INFINITY): string {
  if (Bun.stringWidth(line) <= width) return line;
  const shorter = Bun.sliceAnsi(line, 0, width, '…');
  // Bun 1.4 exceeds the width by one if half of a wide character would fit.
  return Bun.stringWidth(shorter) <= width ? shorter : Bun.sliceAnsi(line, 0, width - 1, '…');
}
