import { onlyOnStaging } from '#domain/environment.ts';
import { NotFoundError } from '#domain/error.ts';
import { limitsFor } from '#domain/plan.ts';
import { KEY_NAMES, type KeyName, variableOf } from '../../packages/conformance/src/http.ts';
import type { CliCommand, PrintedChange, Run } from './cli.ts';
import { newSecret } from './keys.ts';

const KEYS_HELP = `
Replaces the accounts of an earlier call, whose keys then stop working. In a
shell:

  export $(animal-store staging keys)
  animal-store conformance <url of staging> --other <url of production>`;

export function define(group: CliCommand): void {
  group.description('prepare a rehearsal on staging');
  group.changes(
    'reset <account>',
    'clear the test clock, counts, bans and idempotency keys of an account',
    async ({ store }, account: string) => {
      await store.environment.reset(account);
      return [{ account }, `Reset account "${account}".`];
    },
  );
  group
    .changes(
      'keys',
      'create the accounts and keys that "conformance" reads from its variables',
      createKeys,
    )
    .addHelpText('after', KEYS_HELP);
}

async function createKeys({ store }: Run): Promise<PrintedChange> {
  const { environment } = await store.environment.read();
  if (environment !== 'staging') throw onlyOnStaging('"staging keys"');
  const variables: Record<string, string> = {};
  for (const name of KEY_NAMES) variables[variableOf(name)] = await createKey(store, name);
  await store.accounts.finishRemovals();
  return [variables, ...Object.entries(variables).map((variable) => variable.join('='))];
}

/** The limits of the Enterprise key for `conformance`. They are low, so that a run reaches them soon. */
export const ENTERPRISE_LIMITS = { perMinute: 20, perDay: 100 };

/** Creates one of the accounts for `conformance`, and returns the secret of its key. */
async function createKey(store: Run['store'], keyName: KeyName): Promise<string> {
  const name = keyName === 'key' ? 'conformance' : `conformance-${keyName}`;
  const plan = keyName === 'key' || keyName === 'read' ? 'pro' : keyName;
  const limits = limitsFor(plan, plan === 'enterprise' ? ENTERPRISE_LIMITS : {});
  const secret = await newSecret(store);
  await store.accounts.removeAccount(name).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  await store.accounts.createAccount({
    name,
    plan,
    limits,
    firstKey: {
      label: 'conformance',
      secret,
      expiresAtMs: null,
      scope: keyName === 'read' ? 'read' : 'all',
    },
  });
  return secret;
}
