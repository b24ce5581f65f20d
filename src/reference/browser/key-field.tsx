import { StoredText, useStoredText } from './stored-text.ts';

/** The reader's API key, which every panel sends. A copy of the tab has it too. */
export const apiKey = new StoredText(() => sessionStorage, 'animal-store.key');

/** Every panel has one. They all have the same key. */
export function KeyField() {
  const key = useStoredText(apiKey, '');
  return (
    <input
      type="password"
      autocomplete="off"
      aria-label="API key"
      title="Kept until the tab closes"
      placeholder="API key: ask_…"
      value={key}
      onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
    />
  );
}

/** A key has no white space, but a paste may: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}
