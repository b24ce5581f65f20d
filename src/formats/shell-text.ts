/** One word of a command line, for a reader to paste. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
