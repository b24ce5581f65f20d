import { parseNote } from '#domain/account.ts';
import { renewedExpiry, rotatedExpiry } from '#domain/api-key.ts';
import { OperatorError } from '#domain/error.ts';
import { mintSecret } from '#domain/key-secret.ts';
import { KEY_FILTERS, type KeyFilter, type ListedKey } from '#domain/operator/account-store.ts';
import { keyJson, readBan, recentRequests } from '#domain/operator/operator-json.ts';
import { formatTime, parseDuration, parseExpiry, TIME_FORMS } from '#domain/time-text.ts';
import { parseId } from '#formats/int64.ts';
import { platform } from '#platform.ts';
import type { CliCommand, PrintedChange, Run } from './cli.ts';
import { withCounts } from './limiter-counts.ts';

interface KeyOptions {
  readonly label?: string;
  readonly expires?: string;
  readonly readOnly?: boolean;
}

const EXPIRY_FORMS = `${TIME_FORMS}, or never`;

export function define(group: CliCommand): void {
  group.description('create, replace and revoke API keys; a change takes effect within a second');
  withLabel(
    group.changes('create <account>', 'create a key; its secret is shown only once', create),
  )
    .option('--expires <when>', EXPIRY_FORMS, 'never')
    .option('--read-only', 'it can only list and get pets; this cannot be changed later');
  const meanings = 'only these; "expiring" is within 30 days, and "unused" for 90 days';
  group
    .reads('list [account]', 'list the keys of an account, or all, with their state and use', list)
    .choice('--filter <name>', meanings, Object.keys(KEY_FILTERS));
  group
    .reads('find', 'name the key and the account of a secret, read from standard input', find)
    .showHelpAfterError('The key is read from standard input.');
  withLabel(group.changes('update <id>', 'change the label or the expiry of a key', update)).option(
    '--expires <when>',
    EXPIRY_FORMS,
  );
  group
    .changes('rotate <id>', 'replace a key; both keys work until the overlap ends', rotate)
    .option('--overlap <time>', 'how long the old key still works', '24h')
    .option('--expires <when>', `${EXPIRY_FORMS} (default: as long as before)`)
    .asks();
  group.changes('revoke <id>', 'revoke a key for good', revoke).asks();
  group.changes(
    'unban <id>',
    'lift the ban of a key and clear its strikes',
    async ({ store }, id: string) => {
      const key = await store.accounts.unbanKey(parseKeyId(id));
      return [toJson(key), `Cleared the strikes and any ban of ${describe(key)}.`];
    },
  );
}

function withLabel(command: CliCommand): CliCommand {
  return command.option('--label <text>', 'a note on its purpose', parseNote);
}

async function create(
  { store }: Run,
  accountName: string,
  { label = '', expires = 'never', readOnly }: KeyOptions,
): Promise<PrintedChange> {
  const secret = await newSecret(store);
  const key = await store.accounts.createKey({
    accountName,
    label,
    expiresAtMs: parseExpiry(expires, platform.now()),
    secret,
    scope: readOnly ? 'read' : 'all',
  });
  return describeNewKey(key, secret);
}

async function list(
  run: Run,
  accountName: string | undefined,
  { filter }: { readonly filter?: KeyFilter },
): Promise<void> {
  const { accounts } = run.store;
  const account = accountName === undefined ? undefined : await accounts.getAccount(accountName);
  const search = accounts.searchKeys({ accountId: account?.id, filter });
  const found = (await Array.fromAsync(search)).flat();
  await printKeys(run, found, filter);
}

async function find(run: Run): Promise<void> {
  const { ask, input } = run.cli.io;
  const secret =
    (await ask?.('Paste the key, which is not shown, and press Enter.', true)) ??
    Buffer.concat(await Array.fromAsync(input())).toString();
  const [firstLine = ''] = secret.trim().split('\n');
  await printKeys(run, [await run.store.accounts.findKey(firstLine)]);
}

async function update(
  { store }: Run,
  id: string,
  { label, expires }: KeyOptions,
): Promise<PrintedChange> {
  if (label === undefined && expires === undefined) {
    throw new OperatorError('Set --label, --expires or both.');
  }
  const expiresAtMs = expires === undefined ? undefined : parseExpiry(expires, platform.now());
  const key = await store.accounts.updateKey(parseKeyId(id), { label, expiresAtMs });
  return [toJson(key), `Changed ${describe(key)}: label "${key.label}", ${validity(key)}.`];
}

async function rotate(
  { cli, store }: Run,
  id: string,
  { overlap, expires }: KeyOptions & { readonly overlap: string },
): Promise<PrintedChange> {
  const nowMs = platform.now();
  const overlapMs = parseDuration(overlap);
  const shown = await store.accounts.getKey(parseKeyId(id));
  // Throws if the key cannot be rotated, so that the operator is not asked in vain.
  const endsAtMs = rotatedExpiry(shown, nowMs, overlapMs);
  const expiresAtMs =
    expires === undefined ? renewedExpiry(shown, nowMs) : parseExpiry(expires, nowMs);
  // Without a terminal, as in a script, nobody is asked, and --yes is not needed.
  if (cli.io.ask !== undefined) {
    await cli.confirm(
      `Replace ${describe(shown)}, which then works until ${formatTime(endsAtMs)}, ` +
        `with one ${validity({ ...shown, expiresAtMs })}?`,
    );
  }
  const secret = await newSecret(store);
  const rotation = { secret, overlapMs, expiresAtMs };
  const { old, successor } = await store.accounts.rotateKey(shown.id, rotation);
  return [
    { old: toJson(old), successor: { ...toJson(successor), secret } },
    `Created ${nameOf(successor)} to replace key ${old.id}, ${validity(successor)}.`,
    `Key ${old.id} is ${validity(old)}.`,
    ...secretLines(secret),
  ];
}

async function revoke({ cli, store }: Run, id: string): Promise<PrintedChange> {
  const shown = await store.accounts.getKey(parseKeyId(id));
  const what = `${describe(shown)}, which ends in ${shown.lastFour}`;
  if (shown.revokedAtMs !== null) {
    const since = formatTime(shown.revokedAtMs);
    return [toJson(shown), `Key ${shown.id} was already revoked, at ${since}.`];
  }
  await cli.confirm(`Revoke ${what}, for good?`);
  const key = await store.accounts.revokeKey(shown.id);
  return [toJson(key), `Revoked ${what}.`];
}

/** Prints keys with their state and use. With the filter `banned`, only those that are or may be banned. */
async function printKeys(
  run: Run,
  listed: readonly ListedKey[],
  filter?: KeyFilter,
): Promise<void> {
  const nowMs = platform.now();
  const { known, note } = await withCounts(run, listed, (key, reader) =>
    readBan(reader, key, nowMs),
  );
  const requests = await recentRequests(run.store.history, listed, nowMs);
  const rows = listed.map((key, index) => ({
    ...keyJson(key, known?.[index], nowMs),
    requestsIn30Days: requests.get(key.id) ?? 0,
    note,
  }));
  const keys = rows.filter(({ state }) => filter !== 'banned' || state !== 'active');
  await run.cli.printTable(keys, {
    ID: ({ id }) => String(id),
    'ENDS IN': 'lastFour',
    ACCOUNT: 'account',
    STATE: ({ state, bannedUntil }) =>
      state === 'banned' ? `banned until ${bannedUntil}` : (state ?? 'active?'),
    LABEL: 'label',
    ACCESS: ({ scope }) => (scope === 'read' ? 'read-only' : 'all'),
    'LAST ACCEPTED': ({ lastUsedAt }) => lastUsedAt ?? 'never',
    'LAST REFUSED': ({ lastRefusedAt, lastRefusal }) =>
      lastRefusedAt === null ? 'never' : `${lastRefusedAt} ${lastRefusal}`,
    '30 DAYS': 'requestsIn30Days',
    EXPIRES: ({ expiresAt }) => expiresAt ?? 'never',
    CREATED: 'createdAt',
  });
  await run.cli.remark(note);
}

export function parseKeyId(text: string): number {
  const id = parseId(text);
  if (id !== undefined) return id;
  // The operator may have pasted a secret in place of the number, so the text is not repeated.
  throw new OperatorError('A key is given by its number. "keys list" shows all keys.');
}

export async function newSecret(store: Run['store']): Promise<string> {
  const { environment } = await store.environment.read();
  return mintSecret(platform.randomBytes, environment);
}

export function describeNewKey(key: ListedKey, secret: string): PrintedChange {
  return [
    { ...toJson(key), secret },
    `Created ${nameOf(key)} for account "${key.accountName}", ${validity(key)}.`,
    ...secretLines(secret),
  ];
}

export function secretLines(secret: string): string[] {
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

/** A key as JSON after a change. Its ban is not looked up. */
function toJson(key: ListedKey) {
  return keyJson(key, null, platform.now());
}
