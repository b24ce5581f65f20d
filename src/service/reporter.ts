import pino from 'pino';
import { printable } from '../cli/text.ts';
import type { Config } from '../config.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { formatTime } from '../domain/time-text.ts';
import type { Dependencies } from '../http/answer.ts';
import type { ResponseParts } from '../http/response.ts';
import { type Call, splitUrl } from '../http/router.ts';
import { redisAddress } from '../limiters/redis/redis-url.ts';
import { FailedRequests } from '../operator/failed-requests.ts';
import { Metrics } from '../operator/metrics.ts';
import type { UsageRecorder } from '../operator/usage-recorder.ts';

type Log = pino.Logger;

/** Of a path or a `User-Agent`. Real ones are shorter. */
const MAX_LOGGED_CHARACTERS = 256;
/** The rest is ignored: a search takes a microsecond per character. A key that is encoded twice fits in. */
const MAX_SEARCHED_CHARACTERS = 512;
/** More than a key has. */
const UNSURE_CHARACTERS = 48;

/** JSON lines on standard error. Standard output is for the output of the command. */
function createLog({ LOG_LEVEL: level }: Config): Log {
  const destination = pino.destination({ dest: 2, sync: true });
  // A log that cannot be written, for example on a full disk, must not stop the service.
  destination.on('error', () => {});
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: null, formatters, timestamp }, destination);
}

/** A client that is banned needs help, and its operator must be able to find it. */
function logBan(log: Log, { key, decision }: Readonly<Call>): void {
  if (decision?.refusedBy !== 'ban' || decision.banBegan !== true) return;
  log.warn(
    {
      account: key?.accountName,
      key: key?.id,
      bannedUntil: formatTime(decision.resetAtSeconds * 1000),
    },
    'key banned: it kept sending after 429 responses',
  );
}

function logRequest(
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
      account: key?.accountName,
      key: key?.id,
      address,
      userAgent: userAgent === null ? undefined : loggable(userAgent),
      traceId: traceIdOf(request.headers.get('traceparent')),
      durationMs: Math.round(seconds * 1e6) / 1e3,
    },
    'request',
  );
}

/**
 * A secret is removed before the text is cut, so that no part of it is left at the end. The log may be
 * read on a terminal, which the text must not control.
 */
export function loggable(text: string): string {
  const redacted = redactSecrets(text.slice(0, MAX_SEARCHED_CHARACTERS));
  // Redaction may have shortened the text so much that a secret across the end of the search would show.
  const sure =
    text.length > MAX_SEARCHED_CHARACTERS ? redacted.slice(0, -UNSURE_CHARACTERS) : redacted;
  return printable(sure).slice(0, MAX_LOGGED_CHARACTERS);
}

/** Version, trace, span and flags. Neither id is 0. Later versions than 00 may have further parts. */
const TRACEPARENT =
  /^(?!ff|00.{53}-)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-.*)?$/;

/** The id of the trace in a `traceparent` header of W3C Trace Context. Undefined if it is invalid. */
export function traceIdOf(traceparent: string | null): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}

const SUMMARY_MS = 60_000;
/** Errors with ever new text must fill neither the memory nor the log. */
const MAX_KINDS = 100;
const MAX_KIND_CHARACTERS = 500;
const FURTHER_KINDS = 'faults of further kinds';

interface Context {
  readonly requestId?: string;
  readonly traceId?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number;
}

/** Logs the first fault of a kind with its stack, and each minute how often it was repeated. */
export class FaultLog implements Disposable {
  readonly #log: Log;
  /** By the text of the fault, since the last line about it. */
  readonly #repeats = new Map<string, number>();
  readonly #timer = setInterval(() => this.sumUp(), SUMMARY_MS).unref();

  constructor(log: Log) {
    this.#log = log;
  }

  record(error: unknown, message = 'fault', context: Context = {}): void {
    const kind = this.#kindOf([message, ...textsOf(error)].join(': '));
    const repeats = this.#repeats.get(kind);
    if (repeats === undefined) this.#log.error({ ...context, err: error }, message);
    this.#repeats.set(kind, repeats === undefined ? 0 : repeats + 1);
  }

  /** Runs every minute. A fault that was not repeated has ended. */
  sumUp(): void {
    for (const [fault, repeats] of this.#repeats) {
      if (repeats === 0) {
        this.#repeats.delete(fault);
      } else {
        this.#log.error({ repeats, fault }, 'fault repeated');
        this.#repeats.set(fault, 0);
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.sumUp();
  }

  #kindOf(text: string): string {
    const kind = text.slice(0, MAX_KIND_CHARACTERS);
    return this.#repeats.has(kind) || this.#repeats.size < MAX_KINDS ? kind : FURTHER_KINDS;
  }
}

/** The text of an error and of what caused it. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return error.cause === undefined ? [error.message] : [error.message, ...textsOf(error.cause)];
}

/** Counts and logs what the parts of a service report. */
export function createReporter(config: Config) {
  const { REDIS_URL, INSTANCES: instances, MAX_CONCURRENT_REQUESTS } = config;
  const redis = REDIS_URL && redisAddress(REDIS_URL);
  const metrics = new Metrics();
  const failedRequests = new FailedRequests();
  const log = createLog(config);
  const faults = new FaultLog(log);
  const logsRequests = log.isLevelEnabled('info');
  let redisError: unknown;
  // A stop that gives up disposes nothing.
  process.once('exit', () => faults[Symbol.dispose]());
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
          log.warn(
            { err: error, redis, instances },
            'Redis is away: limits are counted in process',
          );
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
        log.warn('more than a day of usage history waits for compaction: check the clock');
      },
      onCompactionFailed(error: unknown) {
        faults.record(error, 'the usage history could not be compacted');
      },
    },

    requestHooks(recorder: UsageRecorder): Pick<Dependencies, 'observe' | 'onFault'> {
      return {
        observe(call, response, seconds, addressOf) {
          metrics.observe(call, response, seconds);
          recorder.record(call, response);
          logBan(log, call);
          const { status, error } = response;
          if (error !== undefined) {
            failedRequests.record(call, status, error, seconds, addressOf(call));
          }
          if (logsRequests) logRequest(log, call, response, seconds, addressOf(call));
        },
        onFault({ id, request, route, fault }, { status }) {
          const traceId = traceIdOf(request.headers.get('traceparent'));
          const { operation } = route;
          faults.record(fault, 'fault', { requestId: id, traceId, operation, status });
        },
      };
    },

    onRequestShed() {
      metrics.requestsShed++;
      const reason = `more than ${MAX_CONCURRENT_REQUESTS} requests in progress`;
      faults.record(reason, 'requests shed');
    },
  };
}
