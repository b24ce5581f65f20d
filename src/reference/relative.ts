/** A relative link from one path to another, which works behind a proxy that adds a prefix. */
export function relative(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}
