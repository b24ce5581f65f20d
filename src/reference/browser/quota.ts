import type { Quota } from '../key-field.tsx';
import { apiKey } from './key-store.ts';
import { Shared } from './shared.ts';

/** What the latest response says about the limits. */
export const quota = new Shared<Quota | undefined>(undefined);

// Another key may belong to another account.
apiKey.subscribe(() => quota.set(undefined));

/** Follows the limit headers of a response. */
export function followQuota({ status, headers }: Response): void {
  const header = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const limit = header('Limit');
  const remaining = header('Remaining');
  const reset = header('Reset');
  if (![limit, remaining, reset].every(Number.isFinite)) return;
  // Both times are of the service: the clock of the browser may be wrong.
  const secondsLeft = reset - Date.parse(headers.get('Date') ?? '') / 1000;
  quota.set({ limit, remaining, reset, secondsLeft, hasAccount: status !== 401 });
}
