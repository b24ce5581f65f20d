import type { Store } from '../src/domain/backend.ts';
import { DAY_SECONDS } from '../src/domain/durations.ts';
import { mintSecret } from '../src/domain/key-secret.ts';
import type { Limits } from '../src/domain/plan.ts';
import { platform } from '../src/platform.ts';

let accounts = 0;

/** Creates an account with these limits, and returns the secret of its key. */
export async function createLimitedKey(
  { accounts: store }: Store,
  limits: Limits,
): Promise<string> {
  const secret = mintSecret(platform.randomBytes);
  await store.createAccount({
    name: `limited ${++accounts}`,
    plan: 'enterprise',
    limits,
    nowMs: platform.now(),
    firstKey: { label: '', secret, expiresAtMs: null },
  });
  return secret;
}

/** A new day would start with a new limit. */
export async function awaitLongDay(seconds: number): Promise<void> {
  const left = DAY_SECONDS - ((Date.now() / 1000) % DAY_SECONDS);
  if (left < seconds) await Bun.sleep((left + 1) * 1000);
}
