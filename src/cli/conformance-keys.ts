import type { OperatorStore } from '../domain/backend.ts';
import { onlyOnStaging } from '../domain/environment.ts';
import { AlreadyExistsError } from '../domain/error.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { AccountStore } from '../domain/operator/account-store.ts';
import { type Limits, limitsFor, PLAN_NAMES, type Plan } from '../domain/plan.ts';
import { platform } from '../platform.ts';

/** Low, so that a run soon reaches them. */
const ENTERPRISE_LIMITS: Limits = { perMinute: 20, perDay: 100 };

interface ConformanceAccount {
  readonly name: string;
  readonly plan: Plan;
  /** The variable with its key. */
  readonly variable: string;
  /** It also has a key that simulates a full day, in the variable with _DAY. */
  readonly hasDayKey: boolean;
}

const KEY = 'ANIMAL_STORE_API_KEY';

const ACCOUNTS: readonly ConformanceAccount[] = [
  { name: 'conformance', plan: 'pro', variable: KEY, hasDayKey: false },
  ...PLAN_NAMES.map((plan) => ({
    ...{ name: `conformance-${plan}`, plan, variable: `${KEY}_${plan.toUpperCase()}` },
    hasDayKey: plan !== 'free',
  })),
];

/**
 * Creates the accounts and keys with which `conformance` can check every statement on staging, and
 * returns the variables that it reads. Keys of an earlier call are revoked.
 */
export async function createConformanceKeys({
  accounts,
  staging,
}: OperatorStore): Promise<Record<string, string>> {
  if (!(await staging.isStaging())) throw onlyOnStaging('"staging keys"');
  const variables: Record<string, string> = {};
  for (const { name, plan, variable, hasDayKey } of ACCOUNTS) {
    await prepareAccount(accounts, name, plan);
    variables[variable] = await createKey(accounts, name);
    if (hasDayKey) {
      variables[`${variable}_DAY`] = `${variables[variable]}~rate_limit_day`;
    }
  }
  const { perMinute, perDay } = ENTERPRISE_LIMITS;
  return { ...variables, ANIMAL_STORE_ENTERPRISE_LIMITS: `${perMinute}/${perDay}` };
}

async function prepareAccount(accounts: AccountStore, name: string, plan: Plan): Promise<void> {
  const limits = limitsFor(plan, plan === 'enterprise' ? ENTERPRISE_LIMITS : {});
  const nowMs = platform.now();
  try {
    await accounts.createAccount({ name, plan, limits, nowMs });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    await accounts.setPlan(name, plan, limits);
    const keys = await accounts.listKeys(name);
    for (const { id } of keys.filter((key) => key.revokedAtMs === null)) {
      await accounts.revokeKey(id, nowMs);
    }
  }
}

async function createKey(accounts: AccountStore, accountName: string): Promise<string> {
  const secret = mintSecret(platform.randomBytes, true);
  const key = { accountName, label: 'conformance', secret, expiresAtMs: null };
  await accounts.createKey({ ...key, nowMs: platform.now() });
  return secret;
}
