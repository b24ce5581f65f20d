import { describe, expect, test } from 'bun:test';
import { type Column, formatTable } from '../../src/cli/table.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly note: string;
}

const COLUMNS: Column<Row>[] = [
  { heading: 'ID', cell: ({ id }) => String(id), align: 'right' },
  { heading: 'NAME', cell: ({ name }) => name, narrow: 'cut' },
  { heading: 'NOTE', cell: ({ note }) => note, narrow: 'leave out' },
  { heading: 'STATE', cell: () => 'active', color: () => 'green' },
];

const ROWS: Row[] = [
  { id: 7, name: 'Rex', note: 'short' },
  { id: 1_234, name: '猫の手も借りたい会社', note: 'a note' },
];

const table = (columns?: number, rows = ROWS, hasColors = false) =>
  formatTable(COLUMNS, rows, { columns, hasColors });
const full = () => table();
const widest = (lines: string[]) => Math.max(...lines.map((line) => Bun.stringWidth(line)));

describe('a table', () => {
  test('is aligned by the width that characters have on a terminal', () => {
    expect(full()).toEqual([
      '  ID  NAME                  NOTE    STATE',
      '   7  Rex                   short   active',
      '1234  猫の手も借りたい会社  a note  active',
    ]);
  });

  test('without rows has its headings', () => {
    expect(table(80, [])).toEqual(['ID  NAME  NOTE  STATE']);
  });

  test('that is too wide first loses columns that can be left out', () => {
    const lines = table(widest(full()) - 1);
    expect(lines[0]).not.toContain('NOTE');
    expect(lines[2]).toContain('猫の手も借りたい会社');
  });

  test('that is still too wide has its widest text cut', () => {
    const lines = table(28);
    expect(lines[1]).toBe('   7  Rex             active');
    expect(lines[2]).toContain('猫の手');
    expect(lines[2]).toContain('…');
    expect(widest(lines)).toBeLessThanOrEqual(28);
  });

  test('never has a line that is longer than the terminal is wide', () => {
    for (let width = 1; width < 50; width++) {
      expect(widest(table(width))).toBeLessThanOrEqual(width);
    }
  });

  test('escapes control characters in a cell', () => {
    const [, line] = table(80, [{ id: 1, name: '\u001b[31m', note: '' }]);
    expect(line).toContain('\\u001b[31m');
  });

  test('has colors on a terminal that shows them', () => {
    const [headings, line] = table(80, ROWS, true);
    expect(headings).toContain('\u001b[1mSTATE\u001b[22m');
    expect(line).toEndWith('\u001b[32mactive\u001b[39m');
  });
});
