import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type FoundKey, request } from './api.ts';
import { notify } from './dialog.tsx';
import { formatNumber } from './format.tsx';
import { linkTo, type Route, showList } from './route.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
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
  /** True for a row about something that has ended. */
  readonly isOver?: (row: Row) => boolean;
  /** Shown in place of a table without rows. */
  readonly empty: ComponentChildren;
}

/** A list of anything. On narrow screens, each row is a card whose cells have their titles. */
export function Table<Row>(props: TableProps<Row>) {
  const { name, columns, rows, keyOf, isOver, empty } = props;
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
          <tr key={keyOf(row)} class={isOver?.(row) ? 'over' : undefined}>
            {columns.map(({ title, kind, cell }) =>
              kind === 'name' ? (
                <th key={title} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={title} class={kind} data-label={title}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PartsProps {
  readonly route: Route;
  /** The name of the parameter that is set. */
  readonly name: string;
  readonly label: string;
  /** The first one shows the whole list. */
  readonly parts: readonly (readonly [value: string, title: string])[];
}

/** Shows a part of a list. */
export function Tabs({ route: { page, parameters }, name, label, parts }: PartsProps) {
  const current = parameters[name] ?? '';
  return (
    <nav class="tabs" aria-label={label}>
      {parts.map(([value, title]) => (
        <a
          key={value}
          href={linkTo(page, { ...parameters, pages: undefined, [name]: value })}
          aria-current={value === current ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The same for many parts, or for several choices at once. */
export function Filter({ route, name, label, parts }: PartsProps) {
  const current = route.parameters[name] ?? '';
  return (
    <select
      aria-label={label}
      onChange={({ currentTarget }) => showList({ [name]: currentTarget.value })}
    >
      {parts.map(([value, title]) => (
        <option key={value} value={value} selected={value === current}>
          {title}
        </option>
      ))}
    </select>
  );
}

const PAUSE_MS = 250;
/** A key, or a large part of one. */
const KEY = /ask_\w{12}|[0-9A-Za-z]{30}/i;
const WHOLE_KEY = /ask_(?:test_)?[0-9A-Za-z]{38}/;

/** Shows the account of a pasted key, which must not get into an address. */
async function showKey(secret: string): Promise<void> {
  try {
    const { id, account } = await request<FoundKey>('POST', 'keys/find', { secret });
    location.hash = linkTo('accounts', {}, account);
    notify(`This is key ${id} of ${account}.`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(error.message);
  }
}

/** Searches the list of a page once the operator stops typing, or finds a pasted key. */
export function Search({ route, name, label }: Omit<PartsProps, 'parts'>) {
  const value = route.parameters[name] ?? '';
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      spellcheck={false}
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        const typed = currentTarget.value;
        clearTimeout(timer.current);
        if (KEY.test(typed)) {
          currentTarget.value = '';
          setText('');
          return showKey(WHOLE_KEY.exec(typed)?.[0] ?? typed);
        }
        setText(typed);
        timer.current = setTimeout(() => showList({ [name]: typed.trim() }), PAUSE_MS);
      }}
    />
  );
}

interface PagerProps {
  readonly route: Route;
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | number | null;
  /** Where in the list this page is, if its length is known. */
  readonly children?: ComponentChildren;
}

const LONGEST_TRAIL = 20;

/** Moves through a list. The address has the cursors of the pages up to this one. */
export function Pager({ route, next, children }: PagerProps) {
  const trail = trailOf(route);
  if (trail.length === 0 && next === null && !children) return null;
  const move = (cursors: readonly (string | number | null)[]) =>
    showList({ pages: cursors.slice(-LONGEST_TRAIL).join(',') });
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="figures" role="status">
        {children}
      </span>
      <button
        type="button"
        class="secondary small"
        disabled={trail.length === 0}
        onClick={() => move(trail.slice(0, -1))}
      >
        Previous
      </button>
      <button
        type="button"
        class="secondary small"
        disabled={next === null}
        onClick={() => move([...trail, next])}
      >
        Next
      </button>
    </nav>
  );
}

function trailOf({ parameters }: Route): string[] {
  return parameters['pages'] ? parameters['pages'].split(',') : [];
}

/** The cursor of the page that is shown. Undefined on the first page. */
export function cursorOf(route: Route): string | undefined {
  return trailOf(route).at(-1);
}
