const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * True if the reader has the version with this tag (RFC 9110). The comparison is weak: a proxy that
 * compresses a page makes its tag weak.
 */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).includes(opaqueTags(tag)[0] ?? '');
}

function opaqueTags(text: string): string[] {
  return Array.from(text.matchAll(TAG), ([, opaque = '']) => opaque);
}
