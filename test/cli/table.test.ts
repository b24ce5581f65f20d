import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
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

const full = () => formatTable(COLUMNS, ROWS, Number.POSITIVE_INFINITY);
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
    expect(formatTable(COLUMNS, [], 80)).toEqual(['ID  NAME  NOTE  STATE']);
  });

  test('that is too wide first loses columns that can be left out', () => {
    const lines = formatTable(COLUMNS, ROWS, widest(full()) - 1);
    expect(lines[0]).not.toContain('NOTE');
    expect(lines[2]).toContain('猫の手も借りたい会社');
  });

  test('that is still too wide has its widest text cut', () => {
    const lines = formatTable(COLUMNS, ROWS, 28);
    expect(lines[1]).toBe('   7  Rex             active');
    expect(lines[2]).toContain('猫の手');
    expect(lines[2]).toContain('…');
    expect(widest(lines)).toBeLessThanOrEqual(28);
  });

  test('never has a line that is longer than the terminal is wide', () => {
    for (let width = 1; width < 50; width++) {
      expect(widest(formatTable(COLUMNS, ROWS, width))).toBeLessThanOrEqual(width);
    }
  });

  test('escapes control characters in a cell', () => {
    const [, line] = formatTable(COLUMNS, [{ id: 1, name: '\u001b[31m', note: '' }], 80);
    expect(line).toContain('\\u001b[31m');
  });
});

describe('colors', () => {
  const script = `import { formatTable } from ${JSON.stringify(join(import.meta.dir, '../../src/cli/table.ts'))};
    console.log(formatTable([{ heading: 'A', cell: () => 'b', color: () => 'red' }], [1], 80).join('|'))`;

  async function output(env: Record<string, string>, onTerminal: boolean): Promise<string> {
    let shown = '';
    const data = (_: Bun.Terminal, bytes: Uint8Array) => {
      shown += new TextDecoder().decode(bytes);
    };
    const common = { env: { TERM: 'xterm-256color', ...env }, stdin: 'ignore' as const };
    const command = [process.execPath, '-e', script];
    if (onTerminal) {
      await Bun.spawn(command, { env: common.env, terminal: { cols: 80, rows: 25, data } }).exited;
      return shown.trim();
    }
    const child = Bun.spawn(command, { ...common, stdout: 'pipe' });
    return (await new Response(child.stdout).text()).trim();
  }

  test('appear on a terminal', async () => {
    expect(await output({}, true)).toBe('\u001b[1mA\u001b[22m|\u001b[31mb\u001b[39m');
  });

  test('do not appear on a terminal with NO_COLOR', async () => {
    expect(await output({ NO_COLOR: '1' }, true)).toBe('A|b');
  });

  test('do not appear in a pipe', async () => {
    expect(await output({}, false)).toBe('A|b');
    expect(await output({ FORCE_COLOR: '1' }, false)).toBe('A|b');
  });
});
