import type { Account } from '../../src/domain/account.ts';

/** An active account, with the changes of a test. */
export function anAccount(changes: Partial<Account> = {}): Account {
  return {
    id: 1,
    name: 'x',
    plan: 'enterprise',
    limits: { perMinute: 1, perDay: 1 },
    createdAtMs: 0,
    suspendedAtMs: null,
    suspensionReason: '',
    clockPutToMs: 0,
    clockOffsetMs: 0,
    resets: 0,
    ...changes,
  };
}
