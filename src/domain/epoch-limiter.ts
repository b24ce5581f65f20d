import type { Caller, Limiter } from './rate-limit.ts';
import type { UsageReader } from './usage-journal.ts';

/** A limiter for staging, where the counts of an account end before their windows do. */
export interface EpochLimiter extends Limiter, UsageReader {
  /** Deletes the counts of the account in an epoch, and the refusals of the key. Must not throw. */
  forget(caller: Caller): void;
}
