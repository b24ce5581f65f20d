import type { JSX } from 'preact';
import { CHANGES_PAGE, ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import type { SearchEntry } from './search-entries.ts';

export interface SearchBoxProps {
  readonly indexHref: string;
  /** The relative address of the root of the service. */
  readonly root: string;
}

interface LiveProps {
  readonly query?: string;
  /** Undefined while the list is closed. */
  readonly results?: readonly SearchEntry[] | undefined;
  readonly active?: number;
  readonly hasFailed?: boolean;
  readonly onInput?: JSX.IntrinsicElements['input']['onInput'];
  readonly onFocus?: () => void;
  readonly onKeyDown?: JSX.IntrinsicElements['input']['onKeyDown'];
  readonly onFocusOut?: JSX.IntrinsicElements['div']['onFocusOut'];
  readonly onChoose?: () => void;
}

/** The name of each page, by its path. */
const PAGES: Readonly<Record<string, string>> = {
  [REFERENCE_PAGE]: 'Reference',
  [ERRORS_PAGE]: 'Errors',
  [LIMITS_PAGE]: 'Limits',
  [CHANGES_PAGE]: 'Changes',
};

export function SearchBox({
  root,
  query = '',
  results,
  active = 0,
  ...live
}: SearchBoxProps & LiveProps) {
  const isOpen = results !== undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the search element.
    <div class="search needs-script" role="search" onFocusOut={live.onFocusOut}>
      <input
        id="search"
        type="text"
        role="combobox"
        aria-label="Search the documentation"
        aria-autocomplete="list"
        aria-expanded={isOpen && results.length > 0}
        aria-controls="search-results"
        aria-activedescendant={isOpen && results.length > 0 ? optionId(active) : undefined}
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={query}
        onInput={live.onInput}
        onFocus={live.onFocus}
        onKeyDown={live.onKeyDown}
      />
      <div class="search-list" hidden={!isOpen}>
        <div id="search-results" role="listbox" aria-label="Search results">
          {results?.map(({ title, kind, text, href }, i) => (
            <a
              key={`${kind} ${title} ${href}`}
              id={optionId(i)}
              role="option"
              aria-selected={i === active}
              tabIndex={-1}
              href={root + href}
              // The field keeps the focus, because Safari would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={live.onChoose}
            >
              <span class="search-title">{title}</span>
              <span class="search-kind">
                {kind} · {PAGES[`/${href.split('#')[0]}`]}
              </span>
              <span class="search-text">{text.replaceAll('`', '')}</span>
            </a>
          ))}
        </div>
        <p role="status" class={results?.length === 0 ? 'search-empty' : 'hidden'}>
          {isOpen && summary(results.length, live.hasFailed)}
        </p>
      </div>
    </div>
  );
}

function summary(count: number, hasFailed = false): string {
  if (hasFailed) return 'Search is not available. Reload the page to try again.';
  if (count === 0) return 'No results';
  return count === 1 ? '1 result' : `${count} results`;
}

function optionId(index: number): string {
  return `search-result-${index}`;
}
