/** Without storage, for example in a frame without cookies, a text lasts as long as the page. */
export function readText(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null;
  }
}

export function writeText(storage: () => Storage, name: string, text: string): void {
  try {
    if (text === '') storage().removeItem(name);
    else storage().setItem(name, text);
  } catch {}
}
