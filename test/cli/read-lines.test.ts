import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readLines, tryLines } from '../../src/cli/read-lines.ts';
import { rejection } from '../support/rejection.ts';

const MEBIBYTE = 1024 * 1024;
const INVALID = Buffer.from([0xff]);

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(bytes: Uint8Array, chunkBytes = 64 * 1024) {
  return (await Array.fromAsync(tryLines(chunksOf(bytes, chunkBytes)))).flat();
}

test('lines are the same, however the bytes arrive', async () => {
  const part = fc.constantFrom('\n', '\r\n', 'é', '😀', 'a', '\ufeff', INVALID);
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const bytes = Buffer.concat(parts.map((text) => Buffer.from(text)));
      const whole = await linesOf(bytes);
      expect(await linesOf(bytes, size)).toEqual(whole);
      if (parts.includes(INVALID)) return;
      const text = bytes.toString().replace(/^\ufeff/, '');
      expect(whole.join('\n')).toBe(text.replace(/\n$/, ''));
    }),
  );
});

test('a byte order mark is dropped only at the start', async () => {
  const bytes = Buffer.from('\ufeffa\n\ufeffb');
  expect(await linesOf(bytes)).toEqual(['a', '\ufeffb']);
  expect(await linesOf(bytes, 6)).toEqual(['a', '\ufeffb']);
});

test('a line that is too long is reported, also at the end', async () => {
  const long = Buffer.alloc(3 * MEBIBYTE, 'x');
  const tooLong = { reason: 'the line is too long' };
  expect(await linesOf(Buffer.concat([long, Buffer.from('\na\n'), long]))).toEqual([
    tooLong,
    'a',
    tooLong,
  ]);
  expect(await linesOf(long, long.length)).toEqual([tooLong]);
  expect(await linesOf(Buffer.alloc(MEBIBYTE, 'x'))).toEqual(['x'.repeat(MEBIBYTE)]);
});

test('a reader that stops at an unreadable line names it', async () => {
  const bytes = Buffer.concat([Buffer.from('a\nb\n'), INVALID, Buffer.from('\nc\n')]);
  const read = Array.fromAsync(readLines(chunksOf(bytes, 3)));
  expect(await rejection(read)).toHaveProperty(
    'message',
    'Line 3: not UTF-8 text.\nNothing was changed.',
  );
});
