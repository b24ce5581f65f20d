import { styleText } from 'node:util';
import { printable } from '../cli/printable.ts';

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly err?: unknown;
  readonly [field: string]: unknown;
}

const LEVEL_STYLES = { error: 'red', warn: 'yellow', info: 'green', debug: 'blue' } as const;
const LEVEL_WIDTH = 5;

/** A line of the log for a person. Text from strangers cannot control the terminal. */
export function prettyLog(json: string): string {
  const { level, time, msg, err, ...fields }: LogLine = JSON.parse(json);
  const { title, rest } = msg === 'request' ? requestTitle(fields) : { title: msg, rest: fields };
  const details = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`);
  const style = LEVEL_STYLES[level as keyof typeof LEVEL_STYLES] ?? 'red';
  const first = [
    styled('dim', time),
    styled(style, level.toUpperCase().padEnd(LEVEL_WIDTH)),
    printable(title),
    ...(details.length > 0 ? [styled('dim', printable(details.join(' ')))] : []),
  ].join(' ');
  const error = errorLines(err).map((line) => `    ${printable(line)}`);
  return `${[first, ...error].join('\n')}\n`;
}

function requestTitle({ method, path, status, durationMs, ...rest }: Record<string, unknown>) {
  return { title: `${method} ${path} ${status} ${durationMs} ms`, rest };
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function errorLines(err: unknown): string[] {
  if (err === undefined) return [];
  const { stack } = Object(err) as { stack?: string };
  return (stack ?? shown(err)).split('\n');
}

/** In colour if standard error is a terminal and NO_COLOR is not set. */
function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
