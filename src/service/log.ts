import { styleText } from 'node:util';
import pino from 'pino';
import { printable } from '../cli/printable.ts';
import type { Config } from '../config.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { formatTime } from '../domain/time-text.ts';
import type { ResponseParts } from '../http/response.ts';
import { type Call, splitUrl } from '../http/router.ts';

export type Log = pino.Logger;

type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>;

/** Of a path or a `User-Agent`. Real ones are shorter. */
const MAX_LOGGED_CHARACTERS = 256;
/** The rest is ignored: a search takes a microsecond per character. A key that is encoded twice fits in. */
const MAX_SEARCHED_CHARACTERS = 512;
/** More than a key has. */
const UNSURE_CHARACTERS = 48;

/**
 * Lines on standard error: JSON, or text for a person if that is a terminal. Standard output is for the
 * output of the command.
 */
export function createLog({ logLevel: level, logFormat }: LogSettings): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  // A log that cannot be written, for example on a full disk, must not stop the service.
  destination.on('error', () => {});
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const isPretty = logFormat === undefined ? process.stderr.isTTY : logFormat === 'pretty';
  const pretty = { write: (line: string) => destination.write(prettyLog(line)) };
  return pino({ level, base: null, formatters, timestamp }, isPretty ? pretty : destination);
}

/** A client that is banned needs help, and its operator must be able to find it. */
export function logBan(log: Log, { key, decision }: Readonly<Call>): void {
  if (decision?.refusedBy !== 'ban' || decision.banBegan !== true) return;
  log.warn(
    {
      account: key?.account.name,
      key: key?.key.id,
      bannedUntil: formatTime(decision.resetAtSeconds * 1000),
    },
    'key banned: it kept sending after 429 responses',
  );
}

export function logRequest(
  log: Log,
  { id, request, route, key }: Readonly<Call>,
  { status, error }: ResponseParts,
  seconds: number,
  address: string,
): void {
  const userAgent = request.headers.get('user-agent');
  log.info(
    {
      requestId: id,
      method: request.method,
      path: loggable(splitUrl(request.url).path),
      operation: route.operation,
      status,
      code: error,
      account: key?.account.name,
      key: key?.key.id,
      address,
      userAgent: userAgent === null ? undefined : loggable(userAgent),
      traceId: traceIdOf(request.headers.get('traceparent')),
      durationMs: Math.round(seconds * 1e6) / 1e3,
    },
    'request',
  );
}

/** A secret is removed before the text is cut, so that no part of it is left at the end. */
export function loggable(text: string): string {
  const redacted = redactSecrets(text.slice(0, MAX_SEARCHED_CHARACTERS));
  // Redaction may have shortened the text so much that a secret across the end of the search would show.
  const sure =
    text.length > MAX_SEARCHED_CHARACTERS ? redacted.slice(0, -UNSURE_CHARACTERS) : redacted;
  return sure.slice(0, MAX_LOGGED_CHARACTERS);
}

/** Version, trace, span and flags. Neither id is 0. Later versions than 00 may have further parts. */
const TRACEPARENT =
  /^(?!ff|00.{53}-)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/;

/** The id of the trace in a `traceparent` header of W3C Trace Context. Undefined if it is invalid. */
export function traceIdOf(traceparent: string | null): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}

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

/** In color if standard error is a terminal and NO_COLOR is not set. */
function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
