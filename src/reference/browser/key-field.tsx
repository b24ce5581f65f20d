import { StoredText, useStoredText } from './stored-text.ts';

/** The reader's API key, which every panel sends. A copy of the tab has it too. */
export const apiKey = new StoredText(() => sessionStorage, 'animal-store.key');

export function KeyField(_: object) {
  return (
    <form class="key-field needs-script" onSubmit={(event) => event.preventDefault()}>
      <label for="api-key">
        API key <span class="note">kept until the tab closes</span>
      </label>
      <KeyInput id="api-key" />
    </form>
  );
}

/** Panels have one too, where the reader needs it. */
export function KeyInput({ id }: { id?: string }) {
  const key = useStoredText(apiKey, '');
  return (
    <input
      id={id}
      aria-label="API key"
      placeholder="API key: ask_…"
      type="password"
      autocomplete="off"
      value={key}
      onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
    />
  );
}

/** A key has no white space, but a paste may: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}
