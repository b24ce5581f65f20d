import { makeKey, printed, runJson, runWith, serveHere } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import type { Settings } from '../support/store.ts';

export const FIRST_PET = '{"name":"Rex","categoryId":9223372036854775807}';

const PETS = [
  FIRST_PET,
  JSON.stringify({ name: '猫 "q" \\ \u2028', categoryId: 2, status: 'pending' }),
  JSON.stringify({ name: "'; DROP TABLE pets; --", categoryId: -3 }),
  JSON.stringify({ name: '🐾'.repeat(255), categoryId: 4 }),
];

/** Adds every kind of record, in the states that it can have. Returns the key that still works. */
export async function fillStore(settings: Settings): Promise<string> {
  const { secret } = await makeKey(settings, 'Zoë und Söhne');
  const rotated = await makeKey(settings, 'acme', 'pro');
  const revoked = await makeKey(settings, 'late', 'free');
  const busy = await makeKey(settings, 'busy', 'enterprise', { perMinute: 1 });
  await makeKey(settings, 'gone');
  // The service writes what is left of its history when it stops.
  await using service = await serveHere(settings);
  const { api } = service.started;
  const { post } = apiCaller(api, secret);
  for (const [index, pet] of PETS.entries()) {
    await post(pet, { 'Idempotency-Key': `k${index}` });
    await post(pet);
  }
  for (const key of [secret, busy.secret, busy.secret, revoked.secret]) {
    await apiCaller(api, key).get('/pets/1');
  }
  for (const line of [
    `keys rotate ${rotated.id}`,
    'keys create acme --label ci --expires 90d',
    'keys create acme --label page --read-only',
    `keys revoke ${revoked.id} --yes`,
    'pets seed --count 120',
    'pets set-status 7 sold --yes',
    'pets remove 121 --yes',
    'accounts suspend late --reason unpaid --yes',
    'accounts remove gone --yes',
  ]) {
    await runJson(settings, line);
  }
  return secret;
}

/** The records of an export, without the header and without the audit entries of a move. */
export function recordsIn(text: string): string[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.filter((line) => !/"store\.(backup|import|restore)"/.test(line));
}

export function exportOf(settings: Settings): Promise<string> {
  return printed(settings, 'store export');
}

export function importOf(text: BlobPart, settings: Settings) {
  return runWith({ input: () => new Blob([text]).stream() }, settings, 'store import');
}
