import type { RedisClient } from 'bun';
import { BAN_RULES } from '../domain/ban.ts';
import {
  type Caller,
  type Decision,
  minuteOffsetSeconds,
  type Refusal,
  type Standing,
} from '../domain/rate-limit.ts';
import { penaltyName, usageName } from './key-names.ts';
import take from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${take}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;
const WINDOWS = [undefined, 'minute', 'day'] as const;

type Mode = 'take' | 'peek';

/** Decides a request in one round trip. `nowMs` replaces Redis's own clock in tests. */
export async function runTakeScript(
  client: RedisClient,
  mode: Mode,
  { subject, limits, key }: Caller,
  nowMs: number | undefined,
): Promise<Decision> {
  const usage = usageName(subject);
  const words = [
    '2',
    usage,
    key === undefined ? usage : penaltyName(subject, key.id),
    mode,
    String(limits.perMinute),
    String(limits.perDay),
    String(minuteOffsetSeconds(subject)),
    key === undefined ? '' : String(key.unbannedAtMs),
    nowMs === undefined ? '' : String(nowMs),
  ];
  return toDecision(await evaluate(client, words));
}

/** A server that was restarted or flushed has forgotten the script: it is sent again, whole. */
async function evaluate(client: RedisClient, words: readonly string[]): Promise<number[]> {
  try {
    return await client.send('EVALSHA', [SCRIPT_SHA1, ...words]);
  } catch (error) {
    if (!String((error as Error).message).includes('NOSCRIPT')) throw error;
    return client.send('EVAL', [SCRIPT, ...words]);
  }
}

function toDecision(answer: readonly number[]): Decision {
  const [by = 0, window = 2, limit = 0, remaining = 0, resetAtSeconds = 0] = answer;
  const [retryAfterSeconds = 1, banBegan = 0] = answer.slice(5);
  const standing: Standing = {
    window: WINDOWS[window] ?? 'day',
    limit,
    remaining,
    resetAtSeconds,
  };
  const refusedBy = REFUSED_BY[by];
  if (refusedBy === undefined) return standing;
  const refusal: Refusal = { ...standing, refusedBy, retryAfterSeconds };
  return banBegan === 1 ? { ...refusal, banBegan: true } : refusal;
}
