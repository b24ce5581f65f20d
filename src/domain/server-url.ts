/** Drivers fail in odd ways on a malformed URL, or one whose password is not percent-encoded. */
export function isServerUrl(text: string, scheme: RegExp): boolean {
  try {
    const { hash, username, password, pathname } = new URL(text);
    const parts = [username, password, pathname].map(decodeURIComponent);
    return scheme.test(text) && hash === '' && !parts.some((part) => part.includes('\0'));
  } catch {
    return false;
  }
}
