import { parseNote } from '../domain/account.ts';
import { renewedExpiry, rotatedExpiry } from '../domain/api-key.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { parseId } from '../domain/int64.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { ListedKey } from '../domain/operator/account-store.ts';
import { readBan } from '../domain/operator/limiter-counts.ts';
import { keyJson } from '../domain/operator/operator-json.ts';
import {
  formatTime,
  formatTimeOrNull,
  parseDuration,
  parseExpiry,
  TIME_FORMS,
} from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli, CliCommand, PrintedChange } from './cli.ts';
import { withCounts } from './limiter-counts.ts';

interface KeyOptions {
  readonly label?: string;
  readonly expires?: string;
}

type CreateOptions = KeyOptions & { readonly readOnly?: boolean };
type RotateOptions = KeyOptions & { readonly overlap: string };

const EXPIRY_FORMS = `${TIME_FORMS}, or never`;

export function define(group: CliCommand, cli: Cli): void {
  group.description('create, replace and revoke API keys; a change takes effect within a second');

  group
    .command('create <account>')
    .description('create a key; its secret is shown only once')
    .option('--label <text>', 'a note on its purpose', parseNote)
    .option('--expires <when>', EXPIRY_FORMS, 'never')
    .option('--read-only', 'it can only list and get pets; this cannot be changed later')
    .changes(async (store, accountName: string, options: CreateOptions) => {
      const { label = '', expires = 'never', readOnly } = options;
      const secret = await newSecret(store);
      const key = await store.accounts.createKey({
        accountName,
        nowMs: platform.now(),
        label,
        expiresAtMs: parseExpiry(expires, platform.now()),
        secret,
        scope: readOnly ? 'read' : 'all',
      });
      return describeNewKey(key, secret);
    });

  group
    .command('list [account]')
    .description('list the keys of an account, or all, with their state and last use')
    .withStore(async (store, accountName: string | undefined) => {
      await printKeys(cli, store, await store.accounts.listKeys(accountName));
    });

  group
    .command('find')
    .description('name the key and the account of a secret, read from standard input')
    .showHelpAfterError('The key is read from standard input.')
    .withStore(async (store) => {
      const secret =
        (await cli.io.ask?.('Paste the key, which is not shown, and press Enter.', true)) ??
        Buffer.concat(await Array.fromAsync(cli.io.input())).toString();
      const [firstLine = ''] = secret.trim().split('\n');
      await printKeys(cli, store, [await store.accounts.findKey(firstLine)]);
    });

  group
    .command('update <id>')
    .description('change the label or the expiry of a key')
    .option('--label <text>', 'a note on its purpose', parseNote)
    .option('--expires <when>', EXPIRY_FORMS)
    .changes(async ({ accounts }, id: string, { label, expires }: KeyOptions) => {
      if (label === undefined && expires === undefined) {
        throw new OperatorError('Set --label, --expires or both.');
      }
      const expiresAtMs = expires === undefined ? undefined : parseExpiry(expires, platform.now());
      const key = await accounts.updateKey(parseKeyId(id), { label, expiresAtMs });
      return [toJson(key), `Changed ${describe(key)}: label "${key.label}", ${validity(key)}.`];
    });

  group
    .command('rotate <id>')
    .description('replace a key; both keys work until the overlap ends')
    .option('--overlap <time>', 'how long the old key still works', '24h')
    .option('--expires <when>', `${EXPIRY_FORMS} (default: as long as before)`)
    .option('--yes', 'do not ask')
    .changes(async (store, id: string, { overlap, expires }: RotateOptions) => {
      const nowMs = platform.now();
      const overlapMs = parseDuration(overlap);
      const shown = await store.accounts.getKey(parseKeyId(id));
      // Throws if the key cannot be rotated, before the question.
      const endsAtMs = rotatedExpiry(shown, nowMs, overlapMs);
      const expiresAtMs =
        expires === undefined ? renewedExpiry(shown, nowMs) : parseExpiry(expires, nowMs);
      // A script, which has no terminal, is not asked.
      if (cli.io.ask !== undefined) {
        await cli.confirm(
          `Replace ${describe(shown)}, which then works until ${formatTime(endsAtMs)}, ` +
            `with one ${validity({ ...shown, expiresAtMs })}?`,
        );
      }
      const secret = await newSecret(store);
      const { old, successor } = await store.accounts.rotateKey(shown.id, {
        secret,
        overlapMs,
        expiresAtMs,
        nowMs,
      });
      return [
        { old: toJson(old), successor: { ...toJson(successor), secret } },
        `Created ${nameOf(successor)} to replace key ${old.id}, ${validity(successor)}.`,
        `Key ${old.id} is ${validity(old)}.`,
        ...secretLines(secret),
      ];
    });

  group
    .command('revoke <id>')
    .description('revoke a key for good')
    .option('--yes', 'do not ask')
    .changes(async ({ accounts }, id: string) => {
      const shown = await accounts.getKey(parseKeyId(id));
      const what = `${describe(shown)}, which ends in ${shown.lastFour}`;
      if (shown.revokedAtMs !== null) {
        const since = formatTime(shown.revokedAtMs);
        return [toJson(shown), `Key ${shown.id} was already revoked, at ${since}.`];
      }
      await cli.confirm(`Revoke ${what}, for good?`);
      const key = toJson(await accounts.revokeKey(shown.id, platform.now()));
      return [key, `Revoked ${what}.`];
    });

  group
    .command('unban <id>')
    .description('lift the ban of a key and clear its strikes')
    .changes(async ({ accounts }, id: string) => {
      const key = await accounts.unbanKey(parseKeyId(id), platform.now());
      return [toJson(key), `Cleared the strikes and any ban of ${describe(key)}.`];
    });
}

/** Prints keys with their state and last use. */
async function printKeys(
  cli: Cli,
  store: OperatorStore,
  listed: readonly ListedKey[],
): Promise<void> {
  const nowMs = platform.now();
  const { known, note } = await withCounts(cli, store, listed, (key, reader) =>
    readBan(reader, key, nowMs),
  );
  const [accountId, ...others] = new Set(listed.map((key) => key.accountId));
  const lastUses = await store.history.lastUses(others.length > 0 ? undefined : accountId);
  const keys = listed.map((key, index) => ({
    ...keyJson(key, known?.[index], nowMs + key.clockOffsetMs),
    lastUsedAt: formatTimeOrNull(lastUses.get(key.id) ?? null),
    note,
  }));
  await cli.printTable(keys, {
    ID: ({ id }) => String(id),
    'ENDS IN': 'lastFour',
    ACCOUNT: 'account',
    STATE: ({ state, bannedUntil }) =>
      state === 'banned' ? `banned until ${bannedUntil}` : (state ?? 'active?'),
    LABEL: 'label',
    ACCESS: ({ scope }) => (scope === 'read' ? 'read-only' : 'all'),
    'LAST USED': ({ lastUsedAt }) => lastUsedAt ?? 'never',
    EXPIRES: ({ expiresAt }) => expiresAt ?? 'never',
    CREATED: 'createdAt',
  });
  await cli.remark(note);
}

export function parseKeyId(text: string): number {
  const id = parseId(text);
  if (id !== undefined) return id;
  // The text may be a secret, which must not be repeated.
  throw new OperatorError('A key is given by its number. "keys list" shows all keys.');
}

export async function newSecret({ environment }: OperatorStore): Promise<string> {
  return mintSecret(platform.randomBytes, await environment.read());
}

export function describeNewKey(key: ListedKey, secret: string): PrintedChange {
  return [
    { ...toJson(key), secret },
    `Created ${nameOf(key)} for account "${key.accountName}", ${validity(key)}.`,
    ...secretLines(secret),
  ];
}

function secretLines(secret: string): string[] {
  return ['', `  ${secret}`, '', 'It cannot be shown again.'];
}

function describe(key: ListedKey): string {
  return `${nameOf(key)} of account "${key.accountName}"`;
}

function nameOf({ id, scope }: ListedKey): string {
  return scope === 'read' ? `read-only key ${id}` : `key ${id}`;
}

function validity({ expiresAtMs }: ListedKey): string {
  return expiresAtMs === null ? 'without an expiry' : `valid until ${formatTime(expiresAtMs)}`;
}

/** A changed key. Its ban is not read. */
function toJson(key: ListedKey) {
  return keyJson(key, null, platform.now() + key.clockOffsetMs);
}
