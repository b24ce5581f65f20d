import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { apiKeys, conformanceVariables } from '../config.ts';
import { CannotRun } from '../conformance/check-error.ts';
import { PLAN_KEY_NAMES, type PlanKeyName } from '../conformance/round-trip.ts';
import type { Limits } from '../conformance/session.ts';
import { remark } from './output.ts';

/** The value of an option that reads from standard input. */
const INPUT = '-';

/** Long enough for most programs that print a key. */
const QUIET_MS = 1_000;

/** Most servers refuse a header of 8 kB. */
const MAX_KEY = 4_096;
const MAX_INPUT = 4 * MAX_KEY;

const WAYS =
  'No key. Set ANIMAL_STORE_API_KEY, pipe the key to standard input, or use --key, which other users can see.';

interface KeyOptions {
  readonly key?: string;
  readonly keyFree?: string;
}

interface Keys {
  readonly key: string;
  readonly freeKey: string | undefined;
}

/** From the options, or else the environment, or else standard input: one key a line. */
export async function readKeys(options: KeyOptions): Promise<Keys> {
  const environment = apiKeys();
  const key = options.key ?? environment.key;
  const freeKey = options.keyFree ?? environment.freeKey;
  if (key === undefined && process.stdin.isTTY) throw new CannotRun(WAYS);
  const readsKey = key === undefined || key === INPUT;
  // Without --key, a second line may have the other key.
  const readsFreeKey = freeKey === INPUT || (freeKey === undefined && key === undefined);
  const lines = await readInput(Number(readsKey) + Number(readsFreeKey));
  const keyFound = readsKey ? lines.shift() : key;
  const freeKeyFound = readsFreeKey ? lines.shift() : freeKey;
  if (!keyFound || (!freeKeyFound && freeKey === INPUT)) throw new CannotRun(WAYS);
  return { key: checked(keyFound), freeKey: freeKeyFound ? checked(freeKeyFound) : undefined };
}

/** The keys for checks that only staging allows, and the limits of the Enterprise key. */
export function readPlanKeys() {
  const { planKey, enterpriseLimits } = conformanceVariables();
  const keys = PLAN_KEY_NAMES.flatMap((name) => {
    const key = planKey(variableSuffix(name));
    return key === undefined ? [] : [[name, checked(key)]];
  });
  return { planKeys: Object.fromEntries(keys), enterpriseLimits: parseLimits(enterpriseLimits) };
}

/** PRO_DAY for proDay. */
function variableSuffix(name: PlanKeyName): string {
  return name.replace(/[A-Z]/, (letter) => `_${letter}`).toUpperCase();
}

function parseLimits(text: string | undefined): Limits | undefined {
  if (text === undefined) return undefined;
  const [, perMinute, perDay] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  if (perDay !== undefined) return { perMinute: Number(perMinute), perDay: Number(perDay) };
  throw new CannotRun(
    'ANIMAL_STORE_ENTERPRISE_LIMITS must be the limits for a minute and a day, such as 20/100.',
  );
}

/** Up to `count` lines. Never waits for long without a word. */
async function readInput(count: number): Promise<string[]> {
  if (count === 0) return [];
  if (process.stdin.isTTY) return await readTerminal(count);
  const word = 'Waiting for the key on standard input. --help names other ways.';
  const timer = setTimeout(() => remark(word), QUIET_MS);
  const lines = await readPipe(count);
  clearTimeout(timer);
  return lines;
}

async function readTerminal(count: number): Promise<string[]> {
  const lines: string[] = [];
  const silence = new Writable({ write: (_, __, done) => done() });
  const input = createInterface({ input: process.stdin, output: silence, terminal: true });
  // Only now, when the terminal shows no more keys that are pressed.
  remark('Type the key and press Enter. It is not shown.');
  for await (const line of input) {
    if (lines.push(line.trim()) === count) break;
  }
  input.close();
  return lines;
}

/** Reads no more than it needs: a wrong file may never end. */
async function readPipe(count: number): Promise<string[]> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.split('\n').length > count || text.length > MAX_INPUT) break;
  }
  return text.split('\n', count).map((line) => line.trim());
}

/** Checks the characters of a bearer token (RFC 6750). The message does not quote the key. */
function checked(key: string): string {
  if (key.length > MAX_KEY) throw new CannotRun('A key can have up to 4,096 characters.');
  if (/^[\w.~+/-]+=*$/.test(key)) return key;
  throw new CannotRun('A key can only have letters, digits and - . _ ~ + /.');
}
