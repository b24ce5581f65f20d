import { once } from 'node:events';
import pino from 'pino';
import type { Config } from '#config.ts';
import type { ObservedRequest, ResponseParts } from '#contract/exchange.ts';
import { formatTime } from '#domain/time-text.ts';
import type { Dependencies } from '#http/answer.ts';
import { FailedRequests } from '#operator/failed-requests.ts';
import type { HistoryRecorder } from '#operator/history-recorder.ts';
import { Metrics, operationOf } from '#operator/metrics.ts';
import { platform } from '#platform.ts';
import { FaultLog } from './fault-log.ts';

/** The size of the part of the log that may wait for a slow reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 1_000_000;

/** Writes JSON lines to standard error. Standard output is for the output of the command. */
function createLog({ LOG_LEVEL: level }: Config, metrics: Metrics) {
  // The service must not stop because its log has no reader, or is on a full disk. With a minimum
  // length, `flush` writes again what could not be written before.
  const destination = pino
    .destination({ dest: 2, sync: false, minLength: 1, maxLength: MAX_WAITING_BYTES })
    .removeAllListeners('error')
    .on('error', () => {});
  // Pino calls this when the process exits, and it would wait until everything can be written.
  destination.flushSync = () => {};
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  // PostgreSQL adds details to an error, such as the row that violates a constraint.
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
      // The first flush may add a line about dropped lines, which needs a second one.
      for (let times = 0; times < 2; times++) {
        destination.flush();
        await once(destination, 'drain').catch(() => {});
      }
    },
  };
}

function callerOf({ key, refusedKey }: ObservedRequest) {
  const sent = key ?? refusedKey;
  return { account: sent?.accountName, key: sent?.id };
}

/**
 * Turns what the parts of a service report into log lines and metrics. The parts know nothing of this
 * class: each of them is handed its hooks, which are functions.
 */
export class Reporter implements AsyncDisposable {
  readonly metrics = new Metrics();
  readonly failedRequests = new FailedRequests(platform.now());
  readonly faults;
  /** The reason why Redis was away the last time. */
  redisError: unknown;
  readonly #log;
  readonly #flushLog;

  constructor(private readonly config: Config) {
    const { log, flushLog } = createLog(config, this.metrics);
    this.#log = log;
    this.#flushLog = flushLog;
    this.faults = new FaultLog(log);
  }

  readonly partHooks = {
    onCommit: (creations: number) => this.metrics.creationsPerCommit.observe(creations),
    onStoreWarning: (message: string) => this.#log.warn(message),
    onSaveFailed: (error: unknown) => {
      this.metrics.saveFailures++;
      this.faults.record(error, 'the counts of the limiter could not be saved');
    },
    redis: {
      onResponse: (seconds: number) => this.metrics.redisRoundTrips.observe(seconds),
      onAway: (error: unknown) => {
        this.redisError = error;
        this.metrics.isRedisAway = true;
        this.#log.warn({ err: error }, 'Redis is away: limits are counted in process');
      },
      onBack: () => {
        this.metrics.isRedisAway = false;
        this.#log.warn('Redis is back: limits are counted there again');
      },
    },
  };

  readonly historyHooks = {
    onBatchLost: (error: unknown) => {
      this.metrics.historyBatchesLost++;
      this.faults.record(error, 'a batch of the usage history is lost');
    },
    onBacklog: () =>
      this.#log.warn('more than a day of usage history waits for compaction: was the clock wrong?'),
    onCompactionFailed: (error: unknown) =>
      this.faults.record(error, 'the usage history could not be compacted'),
  };

  requestHooks(
    recorder: HistoryRecorder,
  ): Pick<Dependencies, 'observe' | 'onFault' | 'onRequestShed' | 'lastFailuresOf'> {
    return {
      lastFailuresOf: this.failedRequests.lastOfKey,
      observe: (call, response, seconds) => {
        const { decision } = call;
        const { error } = response;
        this.metrics.observe(call, response, seconds);
        recorder.record(call, response);
        if (decision?.refusedBy !== undefined && decision.banBegan) {
          // A banned client needs help, so its operator must be able to find it.
          this.#log.warn(
            { ...callerOf(call), bannedUntil: formatTime(decision.resetAtSeconds * 1000) },
            'key banned: it kept sending after 429 responses',
          );
        }
        if (error !== undefined) this.failedRequests.record(call, error, seconds);
        if (this.#log.isLevelEnabled('info')) this.#logRequest(call, response, seconds);
      },
      onFault: ({ id, route: { operation }, fault }, { status }) =>
        this.faults.record(fault, 'fault', { requestId: id, operation, status }),
      onRequestShed: () => {
        this.metrics.requestsShed++;
        const reason = `more than ${this.config.MAX_CONCURRENT_REQUESTS} requests in progress`;
        this.faults.record(reason, 'requests shed');
      },
    };
  }

  /** The line has nothing that the caller wrote, because that may contain a key in any form. */
  #logRequest(call: ObservedRequest, { status, error }: ResponseParts, seconds: number): void {
    this.#log.info(
      {
        requestId: call.id,
        method: call.request.method,
        operation: operationOf(call.route, error),
        status,
        code: error,
        ...callerOf(call),
        address: call.address,
        durationMs: Math.round(seconds * 1e6) / 1e3,
      },
      'request',
    );
  }

  readonly onSignIn = (operator: string, address: string) =>
    this.#log.warn({ operator, address }, 'operator signed in');

  /**
   * The text never has the token, and is the same for all guesses from one source. The log writes a repeated text only
   * once a minute, with the number of repetitions, so guesses cannot fill the disk.
   */
  readonly onSignInFailed = (source: string) => {
    this.metrics.signInFailures++;
    this.faults.record(`wrong tokens from ${source}`, 'operator sign-in failed');
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.faults[Symbol.dispose]();
    await this.#flushLog();
  }
}
