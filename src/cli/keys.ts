import { Command } from 'commander';
import { accountSubject } from '../domain/account.ts';
import type { ListedKey } from '../domain/account-store.ts';
import { keyState, mintSecret, parseLabel } from '../domain/api-key.ts';
import { penaltyAfterUnban } from '../domain/ban.ts';
import type { UsageReader } from '../domain/usage-journal.ts';
import { platform } from '../platform.ts';
import { parseCount } from './count.ts';
import { parseDuration, parseExpiry } from './duration.ts';
import { formatTime, print, table } from './output.ts';
import { withAccounts } from './with-accounts.ts';

interface JsonOption {
  readonly json?: boolean;
}

export function keysCommand(): Command {
  const command = new Command('keys').description('create, replace and revoke API keys');

  command
    .command('create')
    .argument('<account>', 'whose key it is')
    .description('create a key; its secret is shown this once')
    .option('--label <text>', 'what it is for', '')
    .option('--expires <when>', 'a length of time or a date: 90d, 2027-01-01')
    .option('--json', 'print JSON')
    .action(
      async (
        accountName: string,
        { label, expires, json = false }: JsonOption & { label: string; expires?: string },
      ) => {
        const nowMs = platform.now();
        const secret = mintSecret(platform.randomBytes);
        const key = await withAccounts(({ accounts }) =>
          accounts.createKey({
            accountName,
            label: parseLabel(label),
            hash: platform.sha256(secret),
            expiresAtMs: expires === undefined ? null : parseExpiry(expires, nowMs),
            nowMs,
          }),
        );
        await print(json, { ...toJson(key), secret }, [
          `Created key ${key.id} for account "${accountName}"${ending(key)}.`,
          ...secretLines(secret),
        ]);
      },
    );

  command
    .command('list')
    .argument('[account]', 'one account; all when left out')
    .description('show keys and their state')
    .option('--json', 'print JSON')
    .action(async (accountName: string | undefined, { json = false }: JsonOption) => {
      const keys = await withAccounts(async ({ accounts, openUsage }) => {
        const counted = await openUsage();
        const listed = await accounts.listKeys(accountName);
        return Promise.all(listed.map((key) => withBan(key, counted)));
      });
      const rows = keys.map((key) => [
        String(key.id),
        key.accountName,
        key.label,
        stateOf(key),
        formatTime(key.createdAtMs),
        key.expiresAtMs === null ? 'never' : formatTime(key.expiresAtMs),
      ]);
      const lines = table(['ID', 'ACCOUNT', 'LABEL', 'STATE', 'CREATED', 'EXPIRES'], rows);
      await print(json, keys.map(toJsonWithBan), lines);
    });

  command
    .command('rotate')
    .argument('<id>', 'the key to replace', parseCount)
    .description('create a successor; both keys work until the overlap is over')
    .option('--overlap <time>', 'how long the old key still works', '24h')
    .option('--json', 'print JSON')
    .action(async (id: number, { overlap, json = false }: JsonOption & { overlap: string }) => {
      const secret = mintSecret(platform.randomBytes);
      const { old, successor } = await withAccounts(({ accounts }) =>
        accounts.rotateKey(id, {
          hash: platform.sha256(secret),
          overlapMs: parseDuration(overlap),
          nowMs: platform.now(),
        }),
      );
      await print(json, { old: toJson(old), successor: { ...toJson(successor), secret } }, [
        `Created key ${successor.id} to follow key ${old.id}${ending(successor)}.`,
        `Key ${old.id} works until ${formatTime(old.expiresAtMs ?? 0)}.`,
        ...secretLines(secret),
      ]);
    });

  command
    .command('revoke')
    .argument('<id>', 'the key', parseCount)
    .description('revoke a key; it holds within a second')
    .option('--json', 'print JSON')
    .action(async (id: number, { json = false }: JsonOption) => {
      const key = await withAccounts(({ accounts }) => accounts.revokeKey(id, platform.now()));
      await print(json, toJson(key), [`Revoked key ${id} of account "${key.accountName}".`]);
    });

  command
    .command('unban')
    .argument('<id>', 'the key', parseCount)
    .description('lift the ban of a key and forget what led to it')
    .option('--json', 'print JSON')
    .action(async (id: number, { json = false }: JsonOption) => {
      const key = await withAccounts(({ accounts }) => accounts.unbanKey(id, platform.now()));
      await print(json, toJson(key), [
        `Lifted any ban of key ${id} of account "${key.accountName}".`,
      ]);
    });

  return command;
}

function secretLines(secret: string): string[] {
  return ['', `  ${secret}`, '', 'Keep it safe: it is stored nowhere and will not be shown again.'];
}

function ending({ expiresAtMs }: ListedKey): string {
  return expiresAtMs === null ? '' : `, valid until ${formatTime(expiresAtMs)}`;
}

/** A key with the end of its ban, 0 when there is none. */
type KeyWithBan = ListedKey & { readonly bannedUntilSeconds: number };

async function withBan(key: ListedKey, counted: UsageReader | undefined): Promise<KeyWithBan> {
  const saved = await counted?.getPenalty(accountSubject(key.accountId), key.id);
  const penalty = penaltyAfterUnban(saved, key.unbannedAtMs);
  return { ...key, bannedUntilSeconds: penalty?.bannedUntilSeconds ?? 0 };
}

function stateOf(key: KeyWithBan): string {
  const nowMs = platform.now();
  const state = keyState(key, nowMs);
  return state === 'active' && isBanned(key, nowMs)
    ? `banned until ${formatTime(key.bannedUntilSeconds * 1000)}`
    : state;
}

function isBanned({ bannedUntilSeconds }: KeyWithBan, nowMs: number): boolean {
  return bannedUntilSeconds * 1000 > nowMs;
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

function toJsonWithBan(key: KeyWithBan) {
  const banned = isBanned(key, platform.now());
  const bannedUntil = banned ? formatTime(key.bannedUntilSeconds * 1000) : null;
  return { ...toJson(key), bannedUntil };
}
