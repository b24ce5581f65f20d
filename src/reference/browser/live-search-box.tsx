import { useLayoutEffect, useState } from 'preact/hooks';
import { SearchBox, type SearchBoxProps } from '../search-box.tsx';
import { type SearchEntry, searchEntries } from '../search-entries.ts';

/** Arrows and Enter choose a result, and Escape closes the list, then clears the text. */
export function LiveSearchBox(props: SearchBoxProps) {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { entries, hasFailed, load } = useIndex(props.indexHref);
  useLayoutEffect(focusOnSlash, []);
  useLayoutEffect(() => {
    document.getElementById(`search-result-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const isLoaded = entries !== undefined || hasFailed;
  const isShown = isOpen && isLoaded && query.trim() !== '';
  const results = isShown ? searchEntries(entries ?? [], query) : undefined;
  const close = () => {
    setOpen(false);
    setActive(0);
  };
  const step = (by: number) => {
    const count = results?.length ?? 0;
    if (count > 0) setActive((active + by + count) % count);
    else setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const field = event.currentTarget as HTMLInputElement;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Enter') document.getElementById(`search-result-${active}`)?.click();
    else if (event.key === 'Escape' && results) close();
    else if (event.key === 'Escape') {
      setQuery('');
      field.blur();
    } else return;
    event.preventDefault();
  };
  return (
    <SearchBox
      {...props}
      query={query}
      results={results}
      active={active}
      hasFailed={hasFailed}
      onFocus={load}
      onInput={({ currentTarget }) => {
        setQuery(currentTarget.value);
        setActive(0);
        setOpen(true);
      }}
      onKeyDown={onKeyDown}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) close();
      }}
      onChoose={() => {
        setQuery('');
        close();
        document.getElementById('search')?.blur();
      }}
    />
  );
}

function useIndex(href: string) {
  const [entries, setEntries] = useState<readonly SearchEntry[]>();
  const [hasFailed, setFailed] = useState(false);
  const load = async () => {
    if (entries !== undefined) return;
    try {
      // Not `fetch(href)`, which fails if the address of the page has a password.
      const response = await fetch(new URL(href, location.href));
      if (!response.ok) throw new Error(response.statusText);
      setEntries(await response.json());
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return { entries, hasFailed, load };
}

/** Unless the reader types a slash into a field. */
function focusOnSlash(): () => void {
  const focus = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.matches('input, select, textarea')) return;
    event.preventDefault();
    document.getElementById('search')?.focus();
  };
  document.addEventListener('keydown', focus);
  return () => document.removeEventListener('keydown', focus);
}
