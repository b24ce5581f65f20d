import type { ComponentChildren } from 'preact';
import { formatNumber } from './format.tsx';

export interface Column<Row> {
  readonly title: string;
  /** A boolean would show nothing. Undefined shows a dash. */
  readonly cell: (row: Row) => Exclude<ComponentChildren, boolean>;
  /**
   * `name`: the heading of the row. `figure`: aligned right. `state`: says what it is without a title.
   * `actions`: buttons.
   */
  readonly kind?: 'name' | 'figure' | 'state' | 'actions';
}

/** A column of numbers. */
export function figure<Row>(title: string, count: (row: Row) => number): Column<Row> {
  return { title, kind: 'figure', cell: (row) => formatNumber(count(row)) };
}

interface TableProps<Row> {
  /** A class, for what only this table needs. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown in place of a table without rows. */
  readonly empty: ComponentChildren;
}

/** A list of anything. On narrow screens, each row is a card whose cells have their titles. */
export function Table<Row>({ name, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table class={`list ${name}`}>
      <thead>
        <tr>
          {columns.map(({ title, kind }) => (
            <th key={title} scope="col" class={kind}>
              <span class={kind === 'actions' ? 'hidden' : undefined}>{title}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, kind, cell }) =>
              kind === 'name' ? (
                <th key={title} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={title} class={kind} data-label={title}>
                  {cell(row) ?? '–'}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
