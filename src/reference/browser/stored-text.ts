import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * A text in a storage of the browser, which the islands of a page share. Without the storage, as on
 * the server, it lasts as long as the page.
 */
class StoredText extends EventTarget {
  #value: string;

  constructor(
    private readonly storage: () => Storage,
    private readonly name: string,
  ) {
    super();
    this.#value = attempt(() => storage().getItem(name)) ?? '';
  }

  get value(): string {
    return this.#value;
  }

  set(value: string): void {
    this.#value = value;
    attempt(() => this.storage().setItem(this.name, value));
    this.dispatchEvent(new Event('change'));
  }
}

/** The reader's API key, which every panel sends. A copy of the tab has it, too. */
export const apiKey = new StoredText(() => sessionStorage, 'animal-store.key');

/** The language of the samples, for all pages and visits. */
export const languageChoice = new StoredText(() => localStorage, 'animal-store.language');

/** Undefined at first, as on the server, so that the first render matches the page. */
export function useStoredText(text: StoredText): string | undefined {
  const [value, setValue] = useState<string>();
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
