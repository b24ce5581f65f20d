import { noRequests, type PeriodOfUse } from '../../src/domain/operator/history.ts';

/** An hour of use without requests, with the changes of a test. */
export function anHour(changes: Partial<PeriodOfUse> = {}): PeriodOfUse {
  const startsAtMs = changes.startsAtMs ?? Date.UTC(2026, 10, 15, 12);
  return {
    accountId: 1,
    startsAtMs,
    keyId: 1,
    operation: 'getPet',
    ...noRequests(),
    busiestMinute: 0,
    lastAtMs: startsAtMs,
    ...changes,
  };
}
