import pino from 'pino';
import type { Config } from '../config.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { formatTime } from '../domain/time-text.ts';
import type { Call } from '../http/call.ts';
import type { ResponseParts } from '../http/response.ts';
import { prettyLog } from './pretty-log.ts';
import { traceIdOf } from './trace-id.ts';

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
      path: loggable(route.path),
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
