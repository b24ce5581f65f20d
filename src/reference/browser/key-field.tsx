import { StoredText, useStoredText } from './stored-text.ts';

/** The reader's API key, which every panel sends. A copy of the tab has it too. */
export const apiKey = new StoredText(() => sessionStorage, 'animal-store.key');

export function KeyField(_: object) {
  const key = useStoredText(apiKey, '');
  return (
    <form class="key-field needs-script" onSubmit={(event) => event.preventDefault()}>
      <label for="api-key">
        API key <span class="note">kept until the tab closes</span>
      </label>
      <input
        id="api-key"
        type="password"
        autocomplete="off"
        placeholder="ask_…"
        value={key}
        onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
      />
    </form>
  );
}

/** A key has no white space, but a paste may: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}
