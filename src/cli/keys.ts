import { Command } from 'commander';
import { accountSubject } from '../domain/account.ts';
import type { ListedKey } from '../domain/account-store.ts';
import { keyState, parseLabel } from '../domain/api-key.ts';
import { isBanned, penaltyAfterUnban } from '../domain/ban.ts';
import { hashSecret, mintSecret } from '../domain/key-secret.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { platform } from '../platform.ts';
import { parseDuration, parseExpiry, parseWholeNumber } from './arguments.ts';
import { openForCommand, openUsage } from './open-store.ts';
import { formatTime, type JsonOption, print, table } from './output.ts';

export function keysCommand(): Command {
  const command = new Command('keys').description('create, replace and revoke API keys');

  command
    .command('create')
    .argument('<account>', 'the account of the key')
    .description('create a key; its secret is shown only once')
    .option('--label <text>', 'a note on its purpose', '')
    .option('--expires <when>', 'a duration or a date: 90d, 2027-01-01')
    .option('--json', 'print JSON')
    .action(
      async (
        accountName: string,
        { label, expires, json }: JsonOption & { label: string; expires?: string },
      ) => {
        const nowMs = platform.now();
        const secret = mintSecret(platform.randomBytes);
        const newKey = {
          accountName,
          label: parseLabel(label),
          hash: hashSecret(secret),
          expiresAtMs: expires === undefined ? null : parseExpiry(expires, nowMs),
          nowMs,
        };
        await using store = await openForCommand();
        const key = await store.accounts.createKey(newKey);
        await print(json, { ...toJson(key), secret }, [
          `Created key ${key.id} for account "${accountName}"${ending(key)}.`,
          ...secretLines(secret),
        ]);
      },
    );

  command
    .command('list')
    .argument('[account]', 'an account (default: all)')
    .description('list keys and their state')
    .option('--json', 'print JSON')
    .action(async (accountName: string | undefined, { json }: JsonOption) => {
      await using store = await openForCommand();
      await using counts = await openUsage(store);
      const listed = await store.accounts.listKeys(accountName);
      const keys = await Promise.all(
        listed.map(async (key) => ({
          ...toJson(key),
          bannedUntil: await endOfBan(key, counts.usage),
        })),
      );
      const rows = keys.map(({ id, account, label, state, createdAt, expiresAt, bannedUntil }) => [
        String(id),
        account,
        label,
        state === 'active' && bannedUntil !== null ? `banned until ${bannedUntil}` : state,
        createdAt,
        expiresAt ?? 'never',
      ]);
      const lines = table(['ID', 'ACCOUNT', 'LABEL', 'STATE', 'CREATED', 'EXPIRES'], rows);
      await print(json, keys, lines);
    });

  command
    .command('rotate')
    .argument('<id>', 'the key to replace', parseWholeNumber)
    .description('replace a key; both keys work until the overlap ends')
    .option('--overlap <time>', 'how long the old key still works', '24h')
    .option('--json', 'print JSON')
    .action(async (id: number, { overlap, json }: JsonOption & { overlap: string }) => {
      const secret = mintSecret(platform.randomBytes);
      const newKey = {
        hash: hashSecret(secret),
        overlapMs: parseDuration(overlap),
        nowMs: platform.now(),
      };
      await using store = await openForCommand();
      const { old, successor } = await store.accounts.rotateKey(id, newKey);
      await print(json, { old: toJson(old), successor: { ...toJson(successor), secret } }, [
        `Created key ${successor.id} to replace key ${old.id}${ending(successor)}.`,
        `Key ${old.id} works until ${formatTime(old.expiresAtMs ?? 0)}.`,
        ...secretLines(secret),
      ]);
    });

  command
    .command('revoke')
    .argument('<id>', 'the key', parseWholeNumber)
    .description('revoke a key; takes effect within a second')
    .option('--json', 'print JSON')
    .action(async (id: number, { json }: JsonOption) => {
      await using store = await openForCommand();
      const key = await store.accounts.revokeKey(id, platform.now());
      await print(json, toJson(key), [`Revoked key ${id} of account "${key.accountName}".`]);
    });

  command
    .command('unban')
    .argument('<id>', 'the key', parseWholeNumber)
    .description('lift the ban of a key and clear its strikes')
    .option('--json', 'print JSON')
    .action(async (id: number, { json }: JsonOption) => {
      await using store = await openForCommand();
      const key = await store.accounts.unbanKey(id, platform.now());
      await print(json, toJson(key), [
        `Lifted the ban of key ${id} of account "${key.accountName}", if it had one.`,
      ]);
    });

  return command;
}

function secretLines(secret: string): string[] {
  return ['', `  ${secret}`, '', 'Store it safely: it cannot be shown again.'];
}

function ending({ expiresAtMs }: ListedKey): string {
  return expiresAtMs === null ? '' : `, valid until ${formatTime(expiresAtMs)}`;
}

/** Null if the key is not banned now. */
async function endOfBan(key: ListedKey, usage: UsageReader | undefined): Promise<string | null> {
  const saved = await usage?.getPenalty(accountSubject(key.accountId), key.id);
  const penalty = penaltyAfterUnban(saved, key.unbannedAtMs);
  if (penalty === undefined || !isBanned(penalty, platform.now())) return null;
  return formatTime(penalty.bannedUntilSeconds * 1000);
}

function toJson(key: ListedKey) {
  return {
    id: key.id,
    account: key.accountName,
    label: key.label,
    state: keyState(key, platform.now()),
    createdAt: formatTime(key.createdAtMs),
    expiresAt: key.expiresAtMs === null ? null : formatTime(key.expiresAtMs),
    revokedAt: key.revokedAtMs === null ? null : formatTime(key.revokedAtMs),
  };
}
