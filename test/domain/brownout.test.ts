import { describe, expect, test } from 'bun:test';
import { brownoutAt, parseBrownouts } from '#domain/brownout.ts';

const parse = (setting: string) => parseBrownouts(setting, Date.UTC(2030, 11, 5));

describe('BROWNOUTS', () => {
  test.each([
    ['2030-06-01T10:00+02:00/1m', '2030-06-01T08:00:00.000Z', '2030-06-01T08:01:00.000Z'],
    // This brownout is in the past. An old setting must not prevent a restart.
    ['2020-02-29T10:00Z/1d', '2020-02-29T10:00:00.000Z', '2020-03-01T10:00:00.000Z'],
    ['2030-12-04T23:00Z/1h', '2030-12-04T23:00:00.000Z', '2030-12-05T00:00:00.000Z'],
  ])('%s lasts from %s to %s', (setting, start, end) => {
    expect(parse(setting)).toEqual([{ startsAtMs: Date.parse(start), endsAtMs: Date.parse(end) }]);
  });

  test('may be several, in any order, and one may start when another ends', () => {
    const [first, second, third, ...more] = parse(
      '2030-09-01T10:00Z/4h, 2030-06-01T11:00Z/1h,2030-06-01T10:00Z/1h',
    );
    expect(first?.endsAtMs).toBe(second?.startsAtMs);
    expect(third?.startsAtMs).toBe(Date.UTC(2030, 8, 1, 10));
    expect(more).toEqual([]);
  });

  test.each([
    '',
    '2030-06-01T10:00Z/1h/1h',
    '2030-06-01T10:00/1h',
    '2030-02-31T10:00Z/1h',
    '2030-06-01T10:00Z/59s',
    '2030-06-01T10:00Z/25h',
    '2030-12-04T23:00:01Z/1h',
  ])('with %p is refused', (entry) => {
    const message = `from 1m to 24h that end by the removal of getPet on 2030-12-05, not "${entry}".`;
    expect(() => parse(entry)).toThrow(message);
    expect(() => parse(`2030-03-01T10:00Z/1h,${entry}`)).toThrow(message);
  });

  test('hold from their first to their last millisecond', () => {
    const brownouts = parse('2030-06-01T10:00Z/1m');
    const at = (ms: number) => brownoutAt(brownouts, Date.UTC(2030, 5, 1, 10) + ms);
    const [active] = brownouts;
    expect([-1, 0, 59_999, 60_000].map(at)).toEqual([undefined, active, active, undefined]);
  });

  test('that overlap are refused, in any order', () => {
    expect(() => parse('2030-06-01T10:59Z/1h,2030-06-01T10:00Z/1h')).toThrow(
      'one ends at 2030-06-01T11:00:00Z, and the next starts at 2030-06-01T10:59:00Z.',
    );
  });
});
