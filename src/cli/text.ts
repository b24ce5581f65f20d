/** Control characters, invisible characters, characters that change the direction of the text, and line ends. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes text from strangers, so that it cannot control the terminal. In JSON, the escapes mean the same characters. */
export function printable(line: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return line.replace(UNPRINTABLE, (character) => character.split('').map(escapeUnit).join(''));
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Writes a number with its noun, such as "1 pet" or "2,000 pets". */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** The columns of a table by their headings. A cell is a field of its row, or computed from the row. */
export type Columns<Row> = Readonly<Record<string, keyof Row | ((row: Row) => string | number)>>;

/** Numbers are aligned to the right. */
export function formatTable<Row>(columns: Columns<Row>, rows: readonly Row[]): string[] {
  const lines: string[][] = [[], ...rows.map(() => [])];
  for (const [heading, cell] of Object.entries(columns)) {
    const values = rows.map((row) => (typeof cell === 'function' ? cell(row) : row[cell]));
    const cells = [heading, ...values.map(cellText)];
    const width = cells.reduce((most, cell) => Math.max(most, Bun.stringWidth(cell)), 0);
    const isRight = typeof values[0] === 'number';
    for (const [index, cell] of cells.entries()) {
      const padding = ' '.repeat(width - Bun.stringWidth(cell));
      lines[index]?.push(isRight ? padding + cell : cell + padding);
    }
  }
  return lines.map((cells) => cells.join('  ').trimEnd());
}

function cellText(value: unknown): string {
  return typeof value === 'number' ? formatCount(value) : printable(String(value ?? ''));
}
