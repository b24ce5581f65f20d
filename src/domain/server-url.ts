/** Drivers fail in odd ways on a malformed URL, or one whose password is not percent-encoded. */
export function isServerUrl(text: string, scheme: RegExp): boolean {
  try {
    const { hash, username, password, pathname } = new URL(text);
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return scheme.test(text) && hash === '';
  } catch {
    return false;
  }
}
