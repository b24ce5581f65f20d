import { expect, test } from 'bun:test';
import { none } from '../../faults/fault.ts';
import { FAULTS } from '../../faults/programme.ts';
import { withRow } from '../../faults/reliability-table.ts';

const EMPTY = `# Page

| Fault | Tried | Outcome | Command |
|---|---|---|---|

## Next

Text.
`;

test('a row is added to an empty table, and replaced in its place', () => {
  const [first, second] = FAULTS;
  if (first === undefined || second === undefined) throw new Error('There are no faults.');
  const withBoth = withRow(withRow(EMPTY, first, [none('lost', 1)]), second, [none('lost', 0)]);
  const rows = (page: string) => page.slice(0, page.indexOf('\n\n## Next')).split('\n').slice(4);
  expect(rows(withBoth).map((row) => row.split(' | ')[2])).toEqual(['lost: 1', 'lost: 0']);
  expect(withBoth).toEndWith('\n\n## Next\n\nText.\n');
  const replaced = withRow(withBoth, first, [none('lost', 2)]);
  expect(rows(replaced).map((row) => row.split(' | ')[2])).toEqual(['lost: 2', 'lost: 0']);
});
