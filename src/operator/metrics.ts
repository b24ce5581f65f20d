import type { Decision } from '../domain/rate-limit.ts';
import { metric } from './prometheus.ts';
import { RequestMetrics } from './request-metrics.ts';

/** What the operator's monitoring reads. */
export class Metrics {
  readonly #requests = new RequestMetrics();
  readonly #refusals = { minute: 0, day: 0, ban: 0 };
  #bans = 0;
  #saveFailures = 0;
  #isRedisAway = false;

  record(
    operation: string | undefined,
    status: number,
    decision: Decision | undefined,
    durationSeconds: number,
  ): void {
    this.#requests.record(operation ?? 'none', status, durationSeconds);
    if (decision?.refusedBy === undefined) return;
    this.#refusals[decision.refusedBy]++;
    if (decision.banBegan) this.#bans++;
  }

  recordSaveFailure(): void {
    this.#saveFailures++;
  }

  setRedisAway(isAway: boolean): void {
    this.#isRedisAway = isAway;
  }

  /** In the text format of Prometheus. */
  render(): string {
    const lines = [
      ...this.#requests.render(),
      ...metric(
        'counter',
        'animal_store_refusals_total',
        'Requests answered 429, by what refused them: the minute, the day or a ban.',
        Object.entries(this.#refusals).map(([by, value]) => ({ labels: { by }, value })),
      ),
      ...metric(
        'counter',
        'animal_store_bans_total',
        'Temporary bans of keys that kept sending after they were told to wait.',
        [{ value: this.#bans }],
      ),
      ...metric(
        'counter',
        'animal_store_usage_save_failures_total',
        'Times the counts of the limiter could not be saved.',
        [{ value: this.#saveFailures }],
      ),
      ...metric(
        'gauge',
        'animal_store_redis_away',
        'Whether Redis is away, and limits are counted by each instance alone.',
        [{ value: this.#isRedisAway ? 1 : 0 }],
      ),
      ...processMetrics(),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** Under the names that Prometheus has for any process. */
function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    ...metric('counter', 'process_cpu_seconds_total', 'User and system CPU time.', [
      { value: (user + system) / 1e6 },
    ]),
    ...metric('gauge', 'process_resident_memory_bytes', 'Resident memory.', [{ value: rss }]),
    ...metric('gauge', 'process_heap_bytes', 'Memory of the JavaScript heap in use.', [
      { value: heapUsed },
    ]),
    ...metric('gauge', 'process_start_time_seconds', 'When the process started, in Unix time.', [
      { value: performance.timeOrigin / 1000 },
    ]),
  ];
}
