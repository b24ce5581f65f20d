import pino from 'pino';
import type { LogLevel } from '../config.ts';
import { redactSecrets } from '../domain/api-key.ts';
import type { Reply } from '../http/reply.ts';
import type { Exchange } from '../http/server.ts';

export type Log = pino.Logger;

/** JSON lines on standard error; standard output is for what the command has to say. */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  // A log that cannot be written, on a full disk say, must not keep requests from their answers.
  destination.on('error', () => {});
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** A line for each fault at level `error`, and one for each request at level `info`. */
export function logAnswer(
  log: Log,
  exchange: Readonly<Exchange>,
  { status, error }: Reply,
  durationSeconds: number,
): void {
  const { requestId, route, fault } = exchange;
  if (fault !== undefined) {
    log.error({ requestId, operation: route.operation, status, err: fault }, 'fault');
  }
  if (!log.isLevelEnabled('info')) return;
  const { method, path, known } = exchange;
  log.info(
    {
      requestId,
      method,
      path: redactSecrets(path),
      operation: route.operation,
      status,
      code: error,
      account: known?.account.name,
      key: known?.key.id,
      durationMs: Math.round(durationSeconds * 1e6) / 1e3,
    },
    'request',
  );
}
