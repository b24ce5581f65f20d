import type { Penalty } from '../../domain/ban.ts';
import type { Usage } from '../../domain/rate-limit.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';
import type { NamedLink } from './key-names.ts';
import { within } from './redis-server.ts';

const READ_MS = 2_000;

/** Reads the counts of all instances, for commands. */
export class RedisUsageReader implements UsageReader {
  readonly #redis: NamedLink;

  constructor(redis: NamedLink) {
    this.#redis = redis;
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    const saved = await this.#read(this.#redis.names.usage(subject));
    if (saved['day_start'] === undefined) return undefined;
    return {
      minuteStartSeconds: Number(saved['minute_start']),
      minuteUsed: Number(saved['minute_used']),
      dayStartSeconds: Number(saved['day_start']),
      dayUsed: Number(saved['day_used']),
    };
  }

  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    const saved = await this.#read(this.#redis.names.penalty(subject, keyId));
    if (saved['bans'] === undefined) return undefined;
    return {
      refusedUntilSeconds: Number(saved['refused_until']),
      firstRefusedAtSeconds: Number(saved['first_refused']),
      refusals: Number(saved['refusals']),
      strikes: (saved['strikes'] ?? '').split(',').filter(Boolean).map(Number),
      bannedUntilSeconds: Number(saved['banned_until']),
      bans: Number(saved['bans']),
      unbannedAtMs: Number(saved['unbanned_at']),
    };
  }

  async #read(name: string): Promise<Record<string, string>> {
    try {
      return await within(READ_MS, this.#redis.link.send(name, 'HGETALL', [name]));
    } catch (error) {
      // The next request deletes the value and counts from 0.
      if (String((error as Error).message).includes('WRONGTYPE')) return {};
      throw error;
    }
  }
}
