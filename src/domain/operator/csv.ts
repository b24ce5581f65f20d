/** CSV as RFC 4180 describes it: commas, quotes doubled inside of quotes. */

export function csvRecord(fields: readonly (string | bigint)[]): string {
  return fields.map((field) => quote(String(field))).join(',');
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Spreadsheets take text that begins like this for a formula, and may run it. */
export function looksLikeFormula(text: string): boolean {
  return /^[=+\-@]/.test(text);
}

export type CsvProblem = 'open' | 'stray';

/**
 * The fields of a record. "open" if a quoted field does not end, because it goes on in the next line.
 * "stray" if a quote is where none may be.
 */
export function parseCsvRecord(text: string): string[] | CsvProblem {
  if (!text.includes('"')) return text.split(',');
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at);
    if (end === -1) return 'open';
    if (end < text.length && text[end] !== ',') return 'stray';
    const field = text.slice(at, end);
    fields.push(isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === text.length) return fields;
    at = end;
  }
}

/** The position after the closing quote, or -1. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return -1;
    if (text[at + 1] !== '"') return at + 1;
  }
}

/** The position of the next comma, quote or the end. */
function endOfPlain(text: string, start: number): number {
  const length = text.slice(start).search(/[",]/);
  return length === -1 ? text.length : start + length;
}
