import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from '../domain/rate-limit.ts';

export interface Sample {
  readonly operation: string | undefined;
  readonly status: number;
  readonly decision: Decision | undefined;
  readonly durationSeconds: number;
}

/** What the operator's monitoring reads. */
export class Metrics {
  readonly #registry = new Registry();

  readonly #requests = new Counter({
    name: 'animal_store_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [this.#registry],
  });

  readonly #duration = new Histogram({
    name: 'animal_store_request_duration_seconds',
    help: 'Time from a request to its answer, by operation.',
    labelNames: ['operation'],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [this.#registry],
  });

  readonly #refusals = new Counter({
    name: 'animal_store_refusals_total',
    help: 'Requests answered 429, by what refused them: the minute, the day or a ban.',
    labelNames: ['by'],
    registers: [this.#registry],
  });

  readonly #bans = new Counter({
    name: 'animal_store_bans_total',
    help: 'Temporary bans of keys that kept sending after they were told to wait.',
    registers: [this.#registry],
  });

  readonly #saveFailures = new Counter({
    name: 'animal_store_usage_save_failures_total',
    help: 'Times the counts of the limiter could not be saved.',
    registers: [this.#registry],
  });

  readonly #redisAway = new Gauge({
    name: 'animal_store_redis_away',
    help: 'Whether Redis is away, and limits are counted by each instance alone.',
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  record({ operation = 'none', status, decision, durationSeconds }: Sample): void {
    this.#requests.inc({ operation, status });
    this.#duration.observe({ operation }, durationSeconds);
    if (decision?.refusedBy === undefined) return;
    this.#refusals.inc({ by: decision.refusedBy });
    if (decision.banBegan) this.#bans.inc();
  }

  recordSaveFailure(): void {
    this.#saveFailures.inc();
  }

  setRedisAway(away: boolean): void {
    this.#redisAway.set(away ? 1 : 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  render(): Promise<string> {
    return this.#registry.metrics();
  }
}
