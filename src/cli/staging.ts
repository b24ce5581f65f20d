import { Command } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { onlyOnStaging } from '../domain/environment.ts';
import { AlreadyExistsError } from '../domain/error.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { AccountStore } from '../domain/operator/account-store.ts';
import { type Limits, limitsFor, PLAN_NAMES, type Plan } from '../domain/plan.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';

const KEYS_HELP = `
Revokes earlier keys. In a shell:

  export $(animal-store staging keys)
  animal-store conformance <url of staging> --other <url of production>`;

export function command(cli: Cli): Command {
  const group = new Command('staging').description('prepare a rehearsal on staging');

  group
    .command('reset <account>')
    .description('clear the test clock, counts, bans and idempotency keys of an account')
    .action(
      cli.changes(async ({ environment }, account: string) => {
        await environment.reset(account, platform.now());
        const done = `Reset account "${account}".`;
        return [{ account }, done];
      }),
    );

  group
    .command('keys')
    .description('create the accounts and keys that "conformance" reads from its variables')
    .addHelpText('after', KEYS_HELP)
    .action(
      cli.changes(async (store) => {
        const variables = await createConformanceKeys(store);
        const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
        return [variables, ...lines];
      }),
    );

  return group;
}

/** Of the Enterprise key that `conformance` uses. Low, so that a run soon reaches them. */
export const ENTERPRISE_LIMITS: Limits = { perMinute: 20, perDay: 100 };

/**
 * Creates the accounts and keys with which `conformance` can check every statement, and returns the
 * variables that it reads. Keys of an earlier call are revoked.
 */
async function createConformanceKeys({ accounts, environment }: OperatorStore) {
  if ((await environment.read()) !== 'staging') throw onlyOnStaging('"staging keys"');
  const variables: Record<string, string> = {
    ANIMAL_STORE_API_KEY: await createKey(accounts, 'conformance', 'pro'),
  };
  for (const plan of PLAN_NAMES) {
    const key = await createKey(accounts, `conformance-${plan}`, plan);
    variables[`ANIMAL_STORE_API_KEY_${plan.toUpperCase()}`] = key;
  }
  return variables;
}

async function createKey(accounts: AccountStore, accountName: string, plan: Plan) {
  const limits = limitsFor(plan, plan === 'enterprise' ? ENTERPRISE_LIMITS : {});
  const nowMs = platform.now();
  const secret = mintSecret(platform.randomBytes, 'staging');
  try {
    await accounts.createAccount({ name: accountName, plan, limits, nowMs });
  } catch (error) {
    if (!(error instanceof AlreadyExistsError)) throw error;
    await accounts.setPlan(accountName, plan, limits);
    for (const { id, revokedAtMs } of await accounts.listKeys(accountName)) {
      if (revokedAtMs === null) await accounts.revokeKey(id, nowMs);
    }
  }
  await accounts.createKey({
    accountName,
    label: 'conformance',
    secret,
    expiresAtMs: null,
    nowMs,
  });
  return secret;
}
