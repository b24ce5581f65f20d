import { styleText } from 'node:util';

/** Control characters, invisible characters, those that change direction, and line ends. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes text from strangers so that it cannot control the terminal. JSON keeps its meaning. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `styleText` alone would decide by the streams of the process. */
export function styled(
  style: Parameters<typeof styleText>[0],
  text: string,
  { hasColors }: { readonly hasColors: boolean },
): string {
  return hasColors ? styleText(style, text, { validateStream: false }) : text;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** "1 pet", "2,000 pets" */
export function plural(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}
