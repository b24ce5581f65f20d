import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { SEARCH_INDEX, SEARCH_SCRIPT } from '../../contract/api.ts';
import type { SearchEntry } from './search.ts';

type Search = (query: string) => readonly SearchEntry[];

/** `root` is the relative address of the service. Arrows and Enter choose a result. */
export function SearchBox({ root }: { root: string }) {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [search, setSearch] = useState<Search>();
  const [hasFailed, setFailed] = useState(false);
  useLayoutEffect(focusOnSlash, []);
  useLayoutEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const load = async () => {
    if (search !== undefined) return;
    const loaded = await loadSearch(root);
    setSearch(() => loaded);
    setFailed(loaded === undefined);
  };
  const isShown = isOpen && query.trim() !== '' && (search !== undefined || hasFailed);
  const results = (isShown && search?.(query)) || [];
  const open = (isOpen: boolean) => {
    setOpen(isOpen);
    setActive(0);
  };
  const leave = () => {
    setQuery('');
    document.getElementById('search')?.blur();
  };
  const step = (by: number) => {
    if (results.length > 0) setActive((active + by + results.length) % results.length);
    else setOpen(true);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter') document.getElementById(optionId(active))?.click();
    else if (event.key === 'Escape' && isShown) open(false);
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
  };
  return (
    <search
      class="search needs-script"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) open(false);
      }}
    >
      <input
        id="search"
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-autocomplete="list"
        aria-expanded={results.length > 0}
        aria-controls="search-results"
        aria-activedescendant={results.length > 0 ? optionId(active) : undefined}
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => {
          setQuery(currentTarget.value);
          open(true);
        }}
        onFocus={load}
        onKeyDown={onKeyDown}
      />
      {query === '' && <kbd>/</kbd>}
      <div class="search-list" hidden={!isShown}>
        <div id="search-results" role="listbox" aria-label="Search results">
          {results.map(({ title, place, text, href }, i) => (
            <a
              key={href}
              id={optionId(i)}
              role="option"
              aria-selected={i === active}
              tabIndex={-1}
              href={root + href}
              // The field keeps the focus, because Safari would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={leave}
            >
              <b>{title}</b>
              <span class="note">{place}</span>
              <span class="search-text note">{text}</span>
            </a>
          ))}
        </div>
        <p role="status" class={results.length === 0 ? 'note' : 'hidden'}>
          {isShown && (hasFailed ? UNAVAILABLE : countOf(results))}
        </p>
      </div>
    </search>
  );
}

const UNAVAILABLE = 'Search is not available. Reload the page to try again.';

function countOf({ length }: readonly SearchEntry[]): string {
  if (length === 0) return 'No results';
  return length === 1 ? '1 result' : `${length} results`;
}

function optionId(index: number): string {
  return `search-result-${index}`;
}

/** Loads the index and its program for the first search. Undefined if that fails. */
async function loadSearch(root: string): Promise<Search | undefined> {
  // A relative address fails if that of the page has a password.
  const address = (path: string) => new URL(root + path.slice(1), location.href).href;
  try {
    const [{ newSearch }, index] = await Promise.all([
      import(address(SEARCH_SCRIPT)) as Promise<typeof import('./search.ts')>,
      fetch(address(SEARCH_INDEX)),
    ]);
    return newSearch(await index.json());
  } catch {
    return undefined;
  }
}

/** Unless the reader types a slash into a field. */
function focusOnSlash(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.matches('input, select, textarea')) return;
    event.preventDefault();
    document.getElementById('search')?.focus();
  });
}
