import type { Config } from '../config.ts';
import type { Dependencies } from '../http/answer.ts';
import { redisAddress } from '../limiters/redis/redis-url.ts';
import { Metrics } from '../operator/metrics.ts';
import type { UsageRecorder } from '../operator/usage-recorder.ts';
import { platform } from '../platform.ts';
import { FaultLog } from './fault-log.ts';
import { type Log, logBan, logRequest, traceIdOf } from './log.ts';
import type { Hooks } from './service-parts.ts';

/** Counts and logs what the parts of a service report. */
export class Reporter implements Disposable {
  readonly metrics = new Metrics();
  /** Why Redis was away the last time. */
  redisError: unknown;
  readonly #config: Config;
  readonly #log: Log;
  readonly #faults: FaultLog;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
    this.#faults = new FaultLog(log, platform.now);
    // A stop that gives up disposes nothing.
    process.once('exit', () => this[Symbol.dispose]());
  }

  [Symbol.dispose](): void {
    this.#faults[Symbol.dispose]();
  }

  partHooks(): Omit<Hooks, 'now'> {
    const { redisUrl, instances } = this.#config;
    const redis = redisUrl && redisAddress(redisUrl);
    return {
      onCommit: this.metrics.observeCommit,
      onSaveFailed: (error) => {
        this.metrics.recordSaveFailure();
        this.#faults.record(error, 'the counts of the limiter could not be saved');
      },
      onRedisResponse: this.metrics.observeRedisRoundTrip,
      onRedisAway: (error) => {
        this.redisError = error;
        this.metrics.setRedisAway(true);
        this.#log.warn(
          { err: error, redis, instances },
          'Redis is away: limits are counted in process',
        );
      },
      onRedisBack: () => {
        this.metrics.setRedisAway(false);
        this.#log.warn('Redis is back: limits are counted there again');
      },
    };
  }

  historyHooks() {
    return {
      onBatchLost: (error: unknown) => {
        this.metrics.recordHistoryBatchLost();
        this.#faults.record(error, 'a batch of the usage history is lost');
      },
      onCompactionFailed: (error: unknown) =>
        this.#faults.record(error, 'the usage history could not be compacted'),
    };
  }

  requestHooks(recorder: UsageRecorder): Pick<Dependencies, 'observe' | 'onFault'> {
    const { metrics } = this;
    const log = this.#log;
    const logsRequests = log.isLevelEnabled('info');
    return {
      observe(call, response, seconds, addressOf) {
        metrics.observe(call, response, seconds);
        recorder.record(call, response);
        logBan(log, call);
        if (logsRequests) logRequest(log, call, response, seconds, addressOf(call.request));
      },
      onFault: ({ id, request, route, fault }, { status }) => {
        const traceId = traceIdOf(request.headers.get('traceparent'));
        const { operation } = route;
        this.#faults.record(fault, 'fault', { requestId: id, traceId, operation, status });
      },
    };
  }

  readonly onRequestShed = (): void => {
    this.metrics.recordRequestShed();
    const { maxRequests } = this.#config;
    this.#faults.record(`more than ${maxRequests} requests in progress`, 'requests shed');
  };

  readonly onConsoleFault = (error: unknown): void => this.#faults.record(error, 'console');
}
