import { once } from 'node:events';
import pino from 'pino';
import type { Config } from '../config.ts';
import type { ObservedRequest } from '../contract/exchange.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import { formatTime } from '../domain/time-text.ts';
import type { Dependencies } from '../http/answer.ts';
import { FailedRequests } from '../operator/failed-requests.ts';
import type { HistoryRecorder } from '../operator/history-recorder.ts';
import { Metrics, operationOf } from '../operator/metrics.ts';

type Log = pino.Logger;

/** For a reader that is slow. Further lines are dropped. */
const MAX_WAITING_BYTES = 1_000_000;

/** JSON lines on standard error. Standard output is for the output of the command. */
function createLog({ LOG_LEVEL: level }: Config, metrics: Metrics) {
  // A log that nobody reads, or on a full disk, must not stop the service. With a minimum length,
  // `flush` tries again what could not be written.
  const destination = pino
    .destination({ dest: 2, sync: false, minLength: 1, maxLength: MAX_WAITING_BYTES })
    .removeAllListeners('error')
    .on('error', () => {});
  // At exit, it would wait until everything can be written.
  destination.flushSync = () => {};
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  // PostgreSQL adds details to an error, such as the row that breaks a constraint.
  const redact = ['err.detail', 'err.where'];
  const log = pino({ level, base: null, formatters, timestamp, redact }, destination);
  let dropped = 0;
  destination.on('drop', () => {
    metrics.logLinesDropped++;
    dropped++;
    destination.flush();
  });
  destination.on('drain', () => {
    if (dropped > 0) log.warn({ lines: dropped }, 'log lines dropped');
    dropped = 0;
  });
  return {
    log,
    /** Resolves when everything is written, or cannot be written. */
    async flushLog() {
      // The first one may add a line about dropped ones.
      for (let times = 0; times < 2; times++) {
        destination.flush();
        await once(destination, 'drain').catch(() => {});
      }
    },
  };
}

/** Errors with ever new text must fill neither the memory nor the log. */
const MAX_KINDS = 100;
const FURTHER_KINDS = 'faults of further kinds';

/** Logs the first fault of a kind with its stack, and each minute how often it was repeated. */
export function createFaultLog(log: Log) {
  /** By the text of the fault, since the last line about it. */
  const repeats = new Map<string, number>();

  /** Runs every minute. A fault that was not repeated has ended. */
  function sumUp(): void {
    for (const [fault, count] of repeats) {
      if (count === 0) {
        repeats.delete(fault);
      } else {
        log.error({ repeats: count, fault }, 'fault repeated');
        repeats.set(fault, 0);
      }
    }
  }

  const timer = setInterval(sumUp, MINUTE_MS).unref();
  return {
    record(error: unknown, message = 'fault', context: object = {}): void {
      const text = [message, ...textsOf(error)].join(': ');
      const kind = repeats.has(text) || repeats.size < MAX_KINDS ? text : FURTHER_KINDS;
      const count = repeats.get(kind);
      if (count === undefined) log.error({ ...context, err: error }, message);
      repeats.set(kind, count === undefined ? 0 : count + 1);
    },
    sumUp,
    [Symbol.dispose](): void {
      clearInterval(timer);
      sumUp();
    },
  };
}

/** The text of an error and of what caused it. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...textsOf(error.cause)];
}

function callerOf({ key }: ObservedRequest) {
  return { account: key?.accountName, key: key?.id };
}

/** Counts and logs what the parts of a service report. */
export function createReporter(config: Config) {
  const metrics = new Metrics();
  const failedRequests = new FailedRequests();
  const { log, flushLog } = createLog(config, metrics);
  const faults = createFaultLog(log);
  const logsRequests = log.isLevelEnabled('info');
  let redisError: unknown;
  return {
    metrics,
    failedRequests,
    faults,

    /** Why Redis was away the last time. */
    redisError: () => redisError,

    partHooks: {
      onCommit: (creations: number) => metrics.creationsPerCommit.observe(creations),
      onSaveFailed(error: unknown) {
        metrics.saveFailures++;
        faults.record(error, 'the counts of the limiter could not be saved');
      },
      redis: {
        onResponse: (seconds: number) => metrics.redisRoundTrips.observe(seconds),
        onAway(error: unknown) {
          redisError = error;
          metrics.isRedisAway = true;
          log.warn({ err: error }, 'Redis is away: limits are counted in process');
        },
        onBack() {
          metrics.isRedisAway = false;
          log.warn('Redis is back: limits are counted there again');
        },
      },
    },

    historyHooks: {
      onBatchLost(error: unknown) {
        metrics.historyBatchesLost++;
        faults.record(error, 'a batch of the usage history is lost');
      },
      onBacklog() {
        log.warn('more than a day of usage history waits for compaction: was the clock wrong?');
      },
      onCompactionFailed(error: unknown) {
        faults.record(error, 'the usage history could not be compacted');
      },
    },

    requestHooks(recorder: HistoryRecorder): Pick<Dependencies, 'observe' | 'onFault'> {
      return {
        observe(call, response, seconds) {
          const { id, request, route, decision } = call;
          const { status, error } = response;
          metrics.observe(call, response, seconds);
          recorder.record(call, response);
          // The client needs help, and its operator must be able to find it.
          if (decision?.refusedBy === 'ban' && decision.banBegan === true) {
            const bannedUntil = formatTime(decision.resetAtSeconds * 1000);
            log.warn(
              { ...callerOf(call), bannedUntil },
              'key banned: it kept sending after 429 responses',
            );
          }
          if (error !== undefined) failedRequests.record(call, status, error, seconds);
          if (!logsRequests) return;
          // Has nothing that the caller wrote, since it may contain a key in any form.
          log.info(
            {
              requestId: id,
              method: request.method,
              operation: operationOf(route, error),
              status,
              code: error,
              ...callerOf(call),
              address: call.address,
              durationMs: Math.round(seconds * 1e6) / 1e3,
            },
            'request',
          );
        },
        onFault({ id, route: { operation }, fault }, { status }) {
          faults.record(fault, 'fault', { requestId: id, operation, status });
        },
      };
    },

    onSignIn: (address: string) => log.warn({ address }, 'operator signed in'),

    onRequestShed() {
      metrics.requestsShed++;
      const reason = `more than ${config.MAX_CONCURRENT_REQUESTS} requests in progress`;
      faults.record(reason, 'requests shed');
    },

    async [Symbol.asyncDispose]() {
      faults[Symbol.dispose]();
      await flushLog();
    },
  };
}
