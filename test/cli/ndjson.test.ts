import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readLines } from '../../src/cli/ndjson.ts';

const INVALID = Buffer.from([0xff]);

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(bytes: Uint8Array, chunkBytes = 64 * 1024) {
  return (await Array.fromAsync(readLines(chunksOf(bytes, chunkBytes)))).flat();
}

test('lines are the same, however the bytes arrive', async () => {
  const part = fc.constantFrom('\n', '\r\n', 'é', '😀', 'a', '\ufeff', INVALID);
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const bytes = Buffer.concat(parts.map((text) => Buffer.from(text)));
      const whole = await linesOf(bytes);
      expect(await linesOf(bytes, size)).toEqual(whole);
      if (parts.includes(INVALID)) return;
      const text = bytes.toString().replace(/\n$/, '');
      expect(whole.join('\n')).toBe(text.replace(/^\ufeff/gm, ''));
    }),
  );
});
