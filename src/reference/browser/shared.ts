import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that several islands of a page share. */
export class Shared<Value> {
  readonly #listeners = new Set<(value: Value) => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Starts with the value that the server rendered, so that the first render matches the page. */
export function useShared<Value>(shared: Shared<Value>, rendered: Value): Value {
  const [value, setValue] = useState(rendered);
  useLayoutEffect(() => {
    const update = (next: Value) => setValue(() => next);
    update(shared.value);
    return shared.subscribe(update);
  }, [shared]);
  return value;
}

/** A text in a storage of the browser. Without it, as on the server, it lasts as long as the page. */
export function stored(storage: () => Storage, name: string): Shared<string> {
  const text = new Shared(attempt(() => storage().getItem(name)) ?? '');
  text.subscribe((value) => {
    attempt(() => (value === '' ? storage().removeItem(name) : storage().setItem(name, value)));
  });
  return text;
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
