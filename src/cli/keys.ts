import { Command } from 'commander';
import { parseLabel } from '../domain/api-key.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { parseId } from '../domain/int64.ts';
import { mintSecret, redactSecrets } from '../domain/key-secret.ts';
import { type ListedKey, unknownKey } from '../domain/operator/account-store.ts';
import { readBan } from '../domain/operator/limiter-counts.ts';
import { keyJson } from '../domain/operator/operator-json.ts';
import {
  EXPIRY_FORMS,
  formatTime,
  formatTimeOrNull,
  parseDuration,
  parseExpiry,
} from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import { printNote, readCounts } from './limiter-counts.ts';

const STATE_COLORS = {
  active: undefined,
  banned: 'red',
  suspended: 'red',
  expired: 'gray',
  revoked: 'gray',
} as const;

interface NewKeyOptions {
  readonly label?: string;
  readonly expires?: string;
}

export function keysCommand(cli: Cli): Command {
  const command = new Command('keys').description('create, replace and revoke API keys');

  command
    .command('create')
    .argument('<account>', 'the account of the key')
    .description('create a key; its secret is shown only once')
    .option('--label <text>', 'a note on its purpose', parseLabel)
    .option('--expires <when>', EXPIRY_FORMS)
    .action(async (accountName: string, options: NewKeyOptions) => {
      const { label = '', expires } = options;
      const nowMs = platform.now();
      const newKey = {
        accountName,
        nowMs,
        label,
        expiresAtMs: expires === undefined ? null : parseExpiry(expires, nowMs),
      };
      await using store = await cli.openStore();
      const secret = await newSecret(store);
      const key = await store.accounts.createKey({ ...newKey, secret });
      await cli.printChange(store, { ...toJson(key, null), secret }, [
        `Created key ${key.id} for account "${accountName}"${ending(key)}.`,
        ...(key.accountSuspendedAtMs === null
          ? []
          : ['The account is suspended: the key works once you resume it.']),
        ...secretLines(secret),
      ]);
    });

  command
    .command('list')
    .argument('[account]', 'an account (default: all)')
    .description('list keys, their state and when they were last used')
    .action(async (accountName: string | undefined) => {
      await using store = await cli.openStore();
      const listed = await store.accounts.listKeys(accountName);
      const { known, note } = await readBans(cli, store, listed);
      const [{ accountId } = {}] = accountName === undefined ? [] : listed;
      const lastUses = await store.history.lastUses(accountId);
      const keys = listed.map((key, index) => {
        const lastUsedAt = formatTimeOrNull(lastUses.get(key.id) ?? null);
        const shown = { ...toJson(key, known?.[index]), lastUsedAt };
        return shown.state === null ? { ...shown, note } : shown;
      });
      await cli.printTable(keys, [
        { heading: 'ID', cell: ({ id }) => String(id), align: 'right' },
        { heading: 'ACCOUNT', cell: ({ account }) => account, narrow: 'cut' },
        { heading: 'LABEL', cell: ({ label }) => label, narrow: 'cut' },
        {
          heading: 'STATE',
          cell: ({ state, bannedUntil }) =>
            state === 'banned' ? `banned until ${bannedUntil}` : (state ?? 'active?'),
          color: ({ state }) => (state === null ? 'yellow' : STATE_COLORS[state]),
        },
        {
          heading: 'LAST USED',
          cell: ({ lastUsedAt }) => lastUsedAt ?? 'never',
          narrow: 'leave out',
        },
        { heading: 'EXPIRES', cell: ({ expiresAt }) => expiresAt ?? 'never' },
        { heading: 'CREATED', cell: ({ createdAt }) => createdAt, narrow: 'leave out' },
      ]);
      if (keys.some(({ state }) => state === null)) await printNote(cli, note);
    });

  command
    .command('update')
    .argument('<id>', 'the number of the key', parseKeyId)
    .description('change the label or the expiry of a key; takes effect within a second')
    .option('--label <text>', 'a note on its purpose', parseLabel)
    .option('--expires <when>', `${EXPIRY_FORMS}, or never`)
    .action(async (id: number, { label, expires }: { label?: string; expires?: string }) => {
      if (label === undefined && expires === undefined) {
        throw new OperatorError('Set --label, --expires or both.');
      }
      const changes = { label, expiresAtMs: parseNewExpiry(expires) };
      await using store = await cli.openStore();
      const key = await store.accounts.updateKey(id, changes);
      await cli.printChange(store, toJson(key, null), [
        `Changed key ${id} of account "${key.accountName}": label "${key.label}"` +
          `${ending(key) || ', without an expiry'}.`,
      ]);
    });

  command
    .command('rotate')
    .argument('<id>', 'the number of the key to replace', parseKeyId)
    .description('replace a key; both keys work until the overlap ends')
    .option('--overlap <time>', 'how long the old key still works', '24h')
    .action(async (id: number, { overlap }: { overlap: string }) => {
      const overlapMs = parseDuration(overlap);
      await using store = await cli.openStore();
      const secret = await newSecret(store);
      const newKey = { secret, overlapMs, nowMs: platform.now() };
      const { old, successor } = await store.accounts.rotateKey(id, newKey);
      const shown = { old: toJson(old, null), successor: { ...toJson(successor, null), secret } };
      await cli.printChange(store, shown, [
        `Created key ${successor.id} to replace key ${old.id}${ending(successor)}.`,
        `Key ${old.id} works until ${formatTime(old.expiresAtMs ?? 0)}.`,
        ...secretLines(secret),
      ]);
    });

  command
    .command('revoke')
    .argument('<id>', 'the number of the key', parseKeyId)
    .description('revoke a key; takes effect within a second')
    .action(async (id: number) => {
      await using store = await cli.openStore();
      const key = await store.accounts.revokeKey(id, platform.now());
      await cli.printChange(store, toJson(key, null), [
        `Revoked key ${id} of account "${key.accountName}".`,
      ]);
    });

  command
    .command('unban')
    .argument('<id>', 'the number of the key', parseKeyId)
    .description('lift the ban of a key and clear its strikes; takes effect within a second')
    .action(async (id: number) => {
      await using store = await cli.openStore();
      const { known, note } = await readBans(cli, store, [await store.accounts.getKey(id)]);
      const bannedUntilMs = known?.[0];
      const key = await store.accounts.unbanKey(id, platform.now());
      const wasBanned = bannedUntilMs === undefined ? null : bannedUntilMs !== null;
      await cli.printChange(
        store,
        { ...toJson(key, null), wasBanned, ...(note !== undefined && { note }) },
        unbanLines(`key ${id} of account "${key.accountName}"`, bannedUntilMs),
      );
      await printNote(cli, note);
    });

  return command;
}

function parseKeyId(text: string): number {
  if (!/^\d+$/.test(text)) {
    // A secret must not end up in the history of a terminal.
    const given = redactSecrets(text);
    throw new OperatorError(
      `A key is given by its number, not by "${given}". "keys list" shows all keys.`,
    );
  }
  const id = parseId(text);
  if (id === undefined) throw unknownKey(text);
  return id;
}

async function newSecret({ staging }: OperatorStore): Promise<string> {
  return mintSecret(platform.randomBytes, await staging.isStaging());
}

function secretLines(secret: string): string[] {
  return ['', `  ${secret}`, '', 'Store it safely: it cannot be shown again.'];
}

/** The label of a key that got none. */
function ending({ expiresAtMs }: ListedKey): string {
  return expiresAtMs === null ? '' : `, valid until ${formatTime(expiresAtMs)}`;
}

/** Undefined keeps the expiry, and null removes it. */
function parseNewExpiry(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === 'never' ? null : parseExpiry(text, platform.now());
}

function unbanLines(key: string, bannedUntilMs: number | null | undefined): string[] {
  if (bannedUntilMs === undefined) {
    return [
      `Cleared the strikes of ${key}, and its ban if it had one.`,
      'The store has recorded this: an earlier ban no longer holds, even if Redis still has it.',
    ];
  }
  return bannedUntilMs === null
    ? [`No ban to lift: ${key} was not banned. Cleared its strikes.`]
    : [`Lifted the ban of ${key}, which would have ended at ${formatTime(bannedUntilMs)}.`];
}

/** When the ban of each key ends, or a note that bans are not known. */
async function readBans(cli: Cli, store: OperatorStore, keys: readonly ListedKey[]) {
  const nowMs = platform.now();
  return readCounts(cli, store, 'Bans are', keys, (key, reader) => readBan(reader, key, nowMs));
}

function toJson(key: ListedKey, bannedUntilMs: number | null | undefined) {
  return keyJson(key, bannedUntilMs, platform.now() + key.clockOffsetMs);
}
