import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * A text in a storage of the browser, which the islands of a page share. Without the storage, as on
 * the server, it lasts as long as the page.
 */
class StoredText extends EventTarget {
  readonly #save: (value: string) => void;
  #value: string;

  constructor(storage: () => Storage, name: string) {
    super();
    this.#value = attempt(() => storage().getItem(name)) ?? '';
    this.#save = (value) => attempt(() => storage().setItem(name, value));
  }

  get value(): string {
    return this.#value;
  }

  set(value: string): void {
    this.#value = value;
    this.#save(value);
    this.dispatchEvent(new Event('change'));
  }
}

/** The reader's API key, which every panel sends. A copy of the tab has it, too. */
export const apiKey = new StoredText(() => sessionStorage, 'animal-store.key');

/** The language of the samples, for all pages and visits. */
export const languageChoice = new StoredText(() => localStorage, 'animal-store.language');

/** Starts with the value that the server rendered, so that the first render matches the page. */
export function useStoredText(text: StoredText, rendered: string): string {
  const [value, setValue] = useState(rendered);
  useLayoutEffect(() => {
    const update = () => setValue(text.value);
    text.addEventListener('change', update);
    update();
  }, [text]);
  return value;
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
