import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { SEARCH_INDEX } from '#contract/api.ts';
import { newSearch, type SearchEntry } from './search.ts';

type Search = ReturnType<typeof newSearch>;

/** `root` is the relative address of the service. The list closes when the focus leaves it. */
export function SearchBox({ root }: { root: string }) {
  const [query, setQuery] = useState('');
  const [search, setSearch] = useState<Search>();
  const [state, setState] = useState('Loading…');
  useLayoutEffect(focusOnSlash, []);
  // The index is loaded when a reader first uses the field.
  const load = async () => {
    if (search !== undefined) return;
    try {
      // A relative address fails if that of the page has a password.
      const index = await fetch(new URL(root + SEARCH_INDEX.slice(1), location.href));
      const loaded = newSearch(await index.json());
      setSearch(() => loaded);
    } catch {
      setState('Search is not available. Reload the page to try again.');
    }
  };
  const results = search?.(query) ?? [];
  const leave = () => {
    setQuery('');
    (document.activeElement as HTMLElement).blur();
  };
  return (
    <search
      class="search needs-script"
      onKeyDown={(event) => (event.key === 'Escape' ? leave() : moveByKey(event))}
    >
      <input
        id="search"
        type="search"
        aria-label="Search the documentation"
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        onFocus={load}
      />
      <div class="search-list" hidden={query === ''}>
        {results.map(({ title, place, text, href }) => (
          // Safari focuses a link on a click only if it has a tabindex.
          <a key={href} href={root + href} tabIndex={0} onClick={leave}>
            <b>{title}</b>
            <span class="note">{place}</span>
            <span class="search-text note">{text}</span>
          </a>
        ))}
        <p role="status" class="note">
          {search === undefined ? state : countOf(results)}
        </p>
      </div>
    </search>
  );
}

/** The arrow keys move between the field and the results. Enter in the field opens the first result. */
function moveByKey(event: TargetedKeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.indexOf(event.target as HTMLElement);
  if (event.key === 'ArrowDown') stops[(at + 1) % stops.length]?.focus();
  else if (event.key === 'ArrowUp') stops.at(at - 1)?.focus();
  else if (event.key === 'Enter' && at === 0) stops[1]?.click();
  else return;
  event.preventDefault();
}

function countOf({ length }: readonly SearchEntry[]): string {
  return length === 1 ? '1 result' : `${length || 'No'} results`;
}

/**
 * Moves the focus to the search when the reader presses the slash, except while typing into a field. Only
 * readers with a mouse are told, because a phone has no such key.
 */
function focusOnSlash(): void {
  const field = document.getElementById('search') as HTMLInputElement;
  if (matchMedia('(hover: hover)').matches) field.placeholder = 'Type / to search';
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey) return;
    if (target instanceof Element && target.matches('input, select, textarea')) return;
    event.preventDefault();
    field.focus();
  });
}
