/** Drivers fail in odd ways on a malformed URL, or one whose password is not percent-encoded. */
export function isServerUrl(text: string, scheme: RegExp): boolean {
  const url = scheme.test(text) ? URL.parse(text) : null;
  if (url === null || url.hash !== '') return false;
  try {
    return [url.username, url.password, url.pathname].every(
      (part) => decodeURIComponent(part) !== '\0',
    );
  } catch {
    return false;
  }
}
