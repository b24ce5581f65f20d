import { describe, expect, test } from 'bun:test';
import { Silence } from '../../src/client/silence.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';

/** Aborts one request after the other, until that is a silence; says how many it took. */
function abortUntilSilent(silence: Silence): number {
  let aborts = 1;
  while (!silence.miss(silence.depart(), true, 0)) aborts++;
  return aborts;
}

describe('a silence', () => {
  test('leaves fewer requests in a minute than bring a ban', () => {
    const silence = new Silence();
    let requests = abortUntilSilent(silence);
    for (;;) {
      const askedAtMs = silence.untilMs;
      if (askedAtMs > BAN_RULES.strikeMemorySeconds * 1000) break;
      requests++;
      silence.miss(silence.depart(), false, askedAtMs);
    }
    expect(requests).toBeLessThan(BAN_RULES.strikesToBan);
  });

  test('is one, however many requests under way come to nothing', () => {
    const silence = new Silence();
    const together = [silence.depart(), silence.depart(), silence.depart()];
    const isNew = together.map((departure) => silence.miss(departure, false, 0));
    expect(isNew).toEqual([true, false, false]);
    expect(silence.count).toBe(1);
  });

  test('is ended by an answer, but not by a late one', () => {
    const silence = new Silence();
    const late = silence.depart();
    silence.miss(silence.depart(), false, 0);
    silence.hear(late);
    expect(silence.count).toBe(1);
    silence.hear(silence.depart());
    expect(silence.count).toBe(0);
  });

  test('goes on when the request is aborted that would have ended it', () => {
    const silence = new Silence();
    silence.miss(silence.depart(), false, 0);
    expect(silence.miss(silence.depart(), true, 500)).toBe(true);
    expect(silence.untilMs).toBe(1_500);
  });

  test('comes with more than ten aborts in a row, which an answer to a later request breaks', () => {
    expect(abortUntilSilent(new Silence())).toBe(11);
    const silence = new Silence();
    const early = silence.depart();
    for (let i = 0; i < 10; i++) silence.miss(silence.depart(), true, 0);
    silence.hear(silence.depart());
    silence.hear(early);
    expect(abortUntilSilent(silence)).toBe(11);
  });
});
