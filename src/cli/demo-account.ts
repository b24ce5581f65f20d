import type { AccountStore } from '../domain/account-store.ts';
import { hashSecret, mintSecret } from '../domain/key-secret.ts';
import { PLANS } from '../domain/plan.ts';
import { platform } from '../platform.ts';

export const DEMO_ACCOUNT = 'demo';

/** Creates an account to try things with, and returns the secret of its key. */
export async function createDemoAccount(accounts: AccountStore): Promise<string> {
  const secret = mintSecret(platform.randomBytes);
  await accounts.createAccount({
    name: DEMO_ACCOUNT,
    plan: 'free',
    limits: PLANS.free.limits,
    nowMs: platform.now(),
    firstKey: { label: 'first start', hash: hashSecret(secret), expiresAtMs: null },
  });
  return secret;
}
