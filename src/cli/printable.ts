/** Controls, what turns the direction of writing or cannot be seen, and what ends a line. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A stranger's text must not steer the terminal that shows it. JSON keeps its meaning. */
export function printable(line: string): string {
  return line.replace(STEERING, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
