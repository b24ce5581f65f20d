import type { Command } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { onlyOnStaging } from '../domain/environment.ts';
import { NotFoundError } from '../domain/error.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { AccountStore } from '../domain/operator/account-store.ts';
import { type Limits, limitsFor, PLAN_NAMES, type Plan } from '../domain/plan.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';

const KEYS_HELP = `
Replaces the accounts of an earlier call, whose keys end. In a shell:

  export $(animal-store staging keys)
  animal-store conformance <url of staging> --other <url of production>`;

export function define(group: Command, cli: Cli): void {
  group.description('prepare a rehearsal on staging');

  group
    .command('reset <account>')
    .description('clear the test clock, counts, bans and idempotency keys of an account')
    .action(
      cli.changes(async ({ environment }, account: string) => {
        await environment.reset(account, platform.now());
        return [{ account }, `Reset account "${account}".`];
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
}

/** Of the Enterprise key that `conformance` uses. Low, so that a run soon reaches them. */
export const ENTERPRISE_LIMITS: Limits = { perMinute: 20, perDay: 100 };

/** The variable with a key for `conformance`: any key, or one on a plan. */
export function keyVariable(name: 'key' | Plan): string {
  return `ANIMAL_STORE_API_KEY${name === 'key' ? '' : `_${name.toUpperCase()}`}`;
}

/**
 * Creates the accounts and keys with which `conformance` can check every statement, and returns the
 * variables that it reads. Accounts of an earlier call are replaced.
 */
async function createConformanceKeys({ accounts, environment }: OperatorStore) {
  if ((await environment.read()) !== 'staging') throw onlyOnStaging('"staging keys"');
  const variables: Record<string, string> = {
    [keyVariable('key')]: await createKey(accounts, 'conformance', 'pro'),
  };
  for (const plan of PLAN_NAMES) {
    variables[keyVariable(plan)] = await createKey(accounts, `conformance-${plan}`, plan);
  }
  return variables;
}

async function createKey(accounts: AccountStore, name: string, plan: Plan) {
  const limits = limitsFor(plan, plan === 'enterprise' ? ENTERPRISE_LIMITS : {});
  const nowMs = platform.now();
  const secret = mintSecret(platform.randomBytes, 'staging');
  const firstKey = { label: 'conformance', secret, expiresAtMs: null };
  await accounts.removeAccount(name).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  await accounts.createAccount({ name, plan, limits, nowMs, firstKey });
  return secret;
}
