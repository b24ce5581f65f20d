import { type HourOfUse, SLOTS_PER_HOUR } from '../../src/domain/operator/usage-history.ts';

/** An hour of use without requests, with the changes of a test. */
export function anHour(changes: Partial<HourOfUse> = {}): HourOfUse {
  const hourMs = changes.hourMs ?? Date.UTC(2026, 10, 15, 12);
  return {
    ...{ accountId: 1, keyId: 1, operation: 'getPet', hourMs },
    ...{ served: 0, refusedByMinute: 0, refusedByDay: 0, refusedByBan: 0 },
    ...{ clientErrors: 0, serverErrors: 0, slots: slots({}) },
    ...{ firstAtMs: hourMs, lastAtMs: hourMs },
    ...changes,
  };
}

/** All slots of an hour, with these counts. */
export function slots(counts: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: SLOTS_PER_HOUR }, (_, slot) => counts[slot] ?? 0);
}
