import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Ago, formatNumber } from './format.tsx';
import { AccountLink } from './marks.tsx';
import type { AccountOrder } from './service.ts';

export interface Column<Row> {
  readonly title: string;
  /** Undefined and null show a dash. A boolean is not allowed, because Preact shows nothing for it. */
  readonly cell: (row: Row) => Exclude<ComponentChildren, boolean>;
  /** `name` is the heading of the row, `figure` is aligned right, and `actions` are buttons. */
  readonly kind?: 'name' | 'figure' | 'actions';
  /**
   * The value that the table can sort its rows by. If the rows are one page of a longer list, only the API can sort
   * them, and this is the name of the order for the API.
   */
  readonly sort?: AccountOrder | ((row: Row) => string | number);
}

/** A column of numbers. */
export function figure<Row>(
  title: string,
  count: (row: Row) => number,
  sort: AccountOrder | typeof count = count,
): Column<Row> {
  return { title, kind: 'figure', cell: (row) => formatNumber(count(row)), sort };
}

/** A column of times. `never` is what an absent time is sorted as. */
export function moment<Row>(
  title: string,
  time: (row: Row) => string | null,
  never = '',
): Column<Row> {
  return { title, cell: (row) => <Ago time={time(row)} />, sort: (row) => time(row) ?? never };
}

/** The account of a row, or null if it was removed. */
export const ACCOUNT_COLUMN: Column<{ readonly account: string | null }> = {
  title: 'Account',
  kind: 'name',
  sort: ({ account }) => account ?? '',
  cell: ({ account }) =>
    account === null ? <span class="quiet">No longer exists</span> : <AccountLink name={account} />,
};

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** The heading in place of a table without rows. */
  readonly emptyTitle: string;
  /** Shown below that heading, to say what to do about it. */
  readonly children: ComponentChildren;
  /** The order in which the API returned the rows: its name, after "-" if the greatest comes first. */
  readonly order?: string | undefined;
  readonly onOrder?: (order: string) => void;
}

/** Compares the digits in texts as numbers. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** A list of anything. On narrow screens, each row is a card whose cells have their titles. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, keyOf, emptyTitle, children } = props;
  const [ownOrder, setOwnOrder] = useState('');
  const { order = ownOrder, onOrder = setOwnOrder } = props;
  if (rows.length === 0) {
    return (
      <div class="empty">
        <h2>{emptyTitle}</h2>
        <p class="quiet">{children}</p>
      </div>
    );
  }
  const isDown = order.startsWith('-');
  const sorted = columns.find((column) => nameOf(column) === order.replace(/^-/, ''));
  const value = sorted?.sort;
  const compare = (a: Row, b: Row) =>
    typeof value === 'function' ? ORDER.compare(`${value(a)}`, `${value(b)}`) : 0;
  return (
    <table class="list">
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading
              key={column.title}
              column={column}
              isDown={column === sorted ? isDown : undefined}
              onOrder={onOrder}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows
          .toSorted((a, b) => (isDown ? compare(b, a) : compare(a, b)))
          .map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, kind, cell }) => {
                // A "th" in such a row is its heading.
                const Cell = kind === 'name' ? 'th' : 'td';
                return (
                  <Cell key={title} class={kind} data-label={title}>
                    {cell(row) ?? '–'}
                  </Cell>
                );
              })}
            </tr>
          ))}
      </tbody>
    </table>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  /** True if the greatest comes first. Undefined if the rows are sorted by another column. */
  readonly isDown: boolean | undefined;
  readonly onOrder: (order: string) => void;
}

/** A click sorts by the column, and a second one reverses the order. */
function Heading<Row>({ column, isDown, onOrder }: HeadingProps<Row>) {
  const { title, kind, sort } = column;
  const direction = isDown ? 'descending' : 'ascending';
  // The greatest figures matter most, so they come first.
  const nextIsDown = isDown === undefined ? kind === 'figure' : !isDown;
  return (
    <th scope="col" class={kind} aria-sort={sort && (isDown === undefined ? 'none' : direction)}>
      {sort === undefined ? (
        <span class={kind === 'actions' ? 'hidden' : undefined}>{title}</span>
      ) : (
        <button
          type="button"
          class="plain"
          onClick={() => onOrder(`${nextIsDown ? '-' : ''}${nameOf(column)}`)}
        >
          {title}
        </button>
      )}
    </th>
  );
}

/** The name of the order by this column. */
function nameOf<Row>({ title, sort }: Column<Row>): string {
  return typeof sort === 'string' ? sort : title;
}
