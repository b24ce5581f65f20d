import { accountSubject } from '../../src/domain/account.ts';
import {
  type PeriodOfUse,
  SLOTS_PER_HOUR,
  slotOf,
} from '../../src/domain/operator/usage-history.ts';
import { minuteOffsetSeconds } from '../../src/domain/rate-limit.ts';

const HOUR_MS = 3_600_000;

/** A request of the past that was served. */
export interface SentRequest {
  readonly accountId: number;
  readonly keyId: number;
  readonly atMs: number;
  /** Default: listPets. */
  readonly operation?: string;
}

/** The history of these requests, in the order that readers need. */
export async function* historyOf(requests: readonly SentRequest[]): AsyncGenerator<PeriodOfUse> {
  const hours = Object.groupBy(requests, ({ accountId, keyId, atMs, operation }) => {
    const hour = Math.floor(atMs / HOUR_MS);
    return [accountId, hour, keyId, operation].map((part) => `${part}`.padStart(9, '0')).join();
  });
  for (const [, sent = []] of Object.entries(hours).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { accountId, keyId, atMs, operation = 'listPets' } = sent[0] as SentRequest;
    const slots = new Array<number>(SLOTS_PER_HOUR).fill(0);
    const offset = minuteOffsetSeconds(accountSubject({ id: accountId, resets: 0 }));
    for (const { atMs } of sent) (slots[slotOf(atMs, offset)] as number)++;
    yield {
      ...{ accountId, keyId, operation, startsAtMs: atMs - (atMs % HOUR_MS), slots },
      ...{ served: sent.length, refusedByMinute: 0, refusedByDay: 0, refusedByBan: 0 },
      ...{ clientErrors: 0, serverErrors: 0, busiestMinute: Math.max(...slots) },
      ...{ firstAtMs: atMs, lastAtMs: sent.at(-1)?.atMs ?? atMs },
    };
  }
}
