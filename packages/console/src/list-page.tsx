import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { notify, type Options, Select } from './dialog.tsx';
import { capitalize, formatNumber } from './format.tsx';
import { Loaded } from './loaded.tsx';
import { filterList, linkTo, useRoute } from './route.ts';
import { accountPath, type KeyOwner, type PageOfRows, request, withQuery } from './service.ts';
import { type Column, Table } from './table.tsx';

/** Narrows a list. The address and the API have a parameter with the same name. */
interface Filter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from. Without options, the operator types a value. */
  readonly options?: Options;
  /** The text for no choice. */
  readonly any?: string;
}

interface ListPageProps<Row> {
  readonly filters: readonly Filter[];
  readonly columns: readonly Column<Row>[];
  /** For a list that the API can sort, the order until the operator chooses another one. */
  readonly order?: string;
  readonly refreshMs?: number;
  /** A button next to the filters. */
  readonly action?: ComponentChildren;
  /** The heading if there are no rows even without a filter. */
  readonly emptyTitle: string;
  /** Shown below that heading. */
  readonly children: ComponentChildren;
}

/** A list with filters and pages. The API serves it at the path that is also the name of the page. */
export function ListPage<Row extends { readonly id: string | number }>(props: ListPageProps<Row>) {
  const { filters, columns, order, refreshMs, action, emptyTitle, children } = props;
  const { page, parameters } = useRoute();
  const isFiltered = Object.keys(parameters).some((name) => name !== 'sort');
  return (
    <>
      <div class="head">
        <h1>{capitalize(page)}</h1>
        {filters.map(({ name, label, options, any = `Any ${label.toLowerCase()}` }) => {
          const value = parameters[name] ?? '';
          if (options === undefined) {
            return <Search key={name} name={name} label={label} value={value} />;
          }
          return (
            <Select
              key={name}
              label={label}
              any={any}
              options={options}
              chosen={value}
              onValue={(value) => filterList({ [name]: value })}
            />
          );
        })}
        {action}
      </div>
      <Loaded<PageOfRows<Row>> path={withQuery(page, parameters)} refreshMs={refreshMs}>
        {(shown) => (
          <>
            {shown.note && <p class="quiet">{shown.note}</p>}
            <Table
              columns={columns}
              rows={shown.rows}
              keyOf={({ id }) => id}
              order={parameters['sort'] ?? order}
              onOrder={(sort) => filterList({ sort })}
              emptyTitle={isFiltered ? 'No matches' : emptyTitle}
            >
              {isFiltered ? <a href={linkTo(page)}>Show all</a> : children}
            </Table>
            <Pager {...shown} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Links to the next page of a list and to the first. To go back, operators use the back button of the browser. */
function Pager({ rows, next, total = 0 }: PageOfRows<unknown>) {
  const { page, parameters } = useRoute();
  const { cursor } = parameters;
  if (cursor === undefined && next === null && total === 0) return null;
  const before = Number(cursor ?? 0);
  const link = (text: string, cursor: PageOfRows<unknown>['next']) => (
    <a class="button secondary small" href={linkTo(page, { ...parameters, cursor })}>
      {text}
    </a>
  );
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="note figures" role="status">
        {total > 0 &&
          `${formatNumber(before + 1)}–${formatNumber(before + rows.length)} of ${formatNumber(total)}`}
      </span>
      {cursor !== undefined && link('First page', null)}
      {next !== null && link('Next page', next)}
    </nav>
  );
}

const PAUSE_MS = 250;
/** Matches a key or a large part of one. */
const KEY = /ask_\w{12,}|[0-9A-Za-z]{30,}/i;

/** Shows the account of a pasted key. The key is sent in a body, because it must not appear in an address. */
function showKey(secret: string): void {
  request<KeyOwner>('POST', 'keys/find', { secret }).then(
    ({ id, account }) => {
      location.hash = linkTo(accountPath(account));
      notify(`This is key ${id} of ${account}.`);
    },
    (error: Error) => notify(error.message),
  );
}

/** Searches the list once the operator stops typing, or finds a pasted key. */
function Search({ name, label, value }: Filter & { readonly value: string }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    // A space at the end is kept, because the operator may be typing the next word.
    if (text.trim() !== value) setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => filterList({ [name]: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      spellcheck={false}
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        const secret = KEY.exec(currentTarget.value)?.[0];
        if (secret === undefined) return setText(currentTarget.value);
        currentTarget.value = '';
        setText('');
        filterList({ [name]: '' });
        showKey(secret);
      }}
    />
  );
}
