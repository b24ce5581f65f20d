import type { Document } from './openapi.ts';

const LINE = 100;

/** Words that a YAML parser may take for a boolean or null. */
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n)$/i;
/** Text without quotes. By its first character, it is not a number or a date. */
const PLAIN = /^[a-z/$](?:[ -~]*[!-9;-~])?$/i;
const SYNTAX = /: | #/;
const PRINTABLE = /^[ -~\u00a1-\u2027\u2030-\ud7ff]+$/;

/**
 * The document as YAML 1.2, also for parsers of YAML 1.1. `Bun.YAML.stringify` refuses bigints and
 * writes a date without quotes, which such parsers do not read as a string.
 */
export function documentToYaml(document: Document): string {
  return `${fields(document, '').join('\n')}\n`;
}

function fields(object: object, indent: string): string[] {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => attach(`${indent}${key(name)}:`, value, indent));
}

/** A value behind the name of its field: on the same line, or indented on the next ones. */
function attach(start: string, value: unknown, indent: string): string[] {
  const inner = `${indent}  `;
  if (!isFilled(value)) return [`${start} ${scalar(value, inner)}`];
  return [start, ...(Array.isArray(value) ? items(value, inner) : fields(value, inner))];
}

function items(values: readonly unknown[], indent: string): string[] {
  return values.flatMap((value) => {
    const inner = `${indent}  `;
    if (!isFilled(value)) return [`${indent}- ${scalar(value, inner)}`];
    const lines = Array.isArray(value) ? items(value, inner) : fields(value, inner);
    return lines.map((line, at) => (at === 0 ? `${indent}- ${line.slice(inner.length)}` : line));
  });
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value, indent);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function key(name: string): string {
  return PLAIN.test(name) && !SYNTAX.test(name) && !RESERVED.test(name) ? name : quoted(name);
}

/** A JSON string, without the characters that YAML 1.1 takes for line breaks. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u00a0\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function text(value: string, indent: string): string {
  if (value.includes('\n')) return literalBlock(value, indent);
  if (value.length > LINE && /^\S+(?: \S+)+$/.test(value) && PRINTABLE.test(value)) {
    return `>-\n${wrap(value, indent).join('\n')}`;
  }
  return key(value);
}

/** Lines as they are. Text that a block would change is quoted instead. */
function literalBlock(value: string, indent: string): string {
  const lines = value.replace(/\n$/, '').split('\n');
  const isSafe = /^\S/.test(value) && lines.every((line) => line === '' || PRINTABLE.test(line));
  if (!isSafe || lines.at(-1) === '') return quoted(value);
  const block = lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
  return `${value.endsWith('\n') ? '|' : '|-'}\n${block}`;
}

/** Breaks at spaces. A parser joins the lines with spaces again. */
function wrap(value: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of value.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE) lines.push(indent + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
