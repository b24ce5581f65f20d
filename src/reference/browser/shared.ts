import { useLayoutEffect, useState } from 'preact/hooks';

/** A value that several islands of a page share. */
export class Shared<Value> extends EventTarget {
  #value: Value;

  constructor(value: Value) {
    super();
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    this.dispatchEvent(new Event('change'));
  }
}

/** Starts with the value that the server rendered, so that the first render matches the page. */
export function useShared<Value>(shared: Shared<Value>, rendered: Value): Value {
  const [value, setValue] = useState(rendered);
  useLayoutEffect(() => {
    const update = () => setValue(() => shared.value);
    shared.addEventListener('change', update);
    update();
  }, [shared]);
  return value;
}

/** A text in a storage of the browser. Without it, as on the server, it lasts as long as the page. */
export function stored(storage: () => Storage, name: string): Shared<string> {
  const text = new Shared(attempt(() => storage().getItem(name)) ?? '');
  text.addEventListener('change', () => {
    attempt(() => storage().removeItem(name));
    if (text.value !== '') attempt(() => storage().setItem(name, text.value));
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
