import pino from 'pino';
import type { Config } from '../config.ts';
import type { Brownout } from '../domain/brownout.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { formatTime } from '../domain/time-text.ts';
import type { Call } from '../http/call.ts';
import type { ResponseParts } from '../http/response.ts';

export type Log = pino.Logger;

/** JSON lines on standard error. Standard output is for the output of the command. */
export function createLog(level: Config['logLevel']): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  // A log that cannot be written, for example on a full disk, must not stop the service.
  destination.on('error', () => {});
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, formatters, timestamp }, destination);
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

/** Explains the 410 responses of a deprecated operation. */
export function logBrownout(
  log: Log,
  { id, operation, endsAtMs }: Brownout,
  change: 'began' | 'ended',
): void {
  const plannedEnd = formatTime(endsAtMs);
  log.warn({ brownout: id, operation, plannedEnd }, `brownout ${change}`);
}

export function logRequest(
  log: Log,
  { id, request, route, key }: Readonly<Call>,
  { status, error }: ResponseParts,
  seconds: number,
): void {
  log.info(
    {
      requestId: id,
      method: request.method,
      path: redactSecrets(route.path),
      operation: route.operation,
      status,
      code: error,
      account: key?.account.name,
      key: key?.key.id,
      durationMs: Math.round(seconds * 1e6) / 1e3,
    },
    'request',
  );
}
