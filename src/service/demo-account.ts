import type { Config } from '../config.ts';
import type { Store } from '../domain/backend.ts';
import { hashSecret, mintSecret } from '../domain/key-secret.ts';
import type { AccountStore } from '../domain/operator/account-store.ts';
import type { Origin } from '../domain/operator/audit.ts';
import { PLANS } from '../domain/plan.ts';
import { platform } from '../platform.ts';

export const DEMO_ACCOUNT = 'demo';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** The first step after a start. */
export interface FirstStep {
  /** The secret of the demo account's key, if this start created it. */
  readonly demoKey?: string | undefined;
  /** No account exists, so nobody can use the API yet. */
  readonly needsAccount: boolean;
}

/**
 * Creates an account to try things with, in a new store on this machine that only this machine can
 * reach. Elsewhere its key would end up in a journal, or would be forgotten.
 */
export async function takeFirstStep(
  config: Config,
  store: Store,
  origin: Origin,
): Promise<FirstStep> {
  if (await store.accounts.hasAccounts()) return { needsAccount: false };
  const { isDemoAllowed, database, hostname, isStaging } = config;
  const mayCreate = isDemoAllowed && database.isEmbedded && isLoopback(hostname);
  if (!mayCreate || !(await hasNoPets(store))) return { needsAccount: true };
  return {
    demoKey: await createDemoAccount(store.forOperator(origin).accounts, isStaging),
    needsAccount: false,
  };
}

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

async function hasNoPets({ pets }: Store): Promise<boolean> {
  return (await pets.listPets({ limit: 1 })).length === 0;
}

async function createDemoAccount(accounts: AccountStore, isStaging: boolean): Promise<string> {
  const secret = mintSecret(platform.randomBytes, isStaging);
  await accounts.createAccount({
    name: DEMO_ACCOUNT,
    plan: 'free',
    limits: PLANS.free.limits,
    nowMs: platform.now(),
    firstKey: { label: 'first start', hash: hashSecret(secret), expiresAtMs: null },
  });
  return secret;
}
