import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readLines } from '#cli/ndjson.ts';

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('lines are the same, however the bytes arrive', async () => {
  const part = fc.constantFrom('\n', '\r\n', 'é', '😀', 'a', '\ufeff');
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const bytes = Buffer.concat(parts.map((text) => Buffer.from(text)));
      const batches = await Array.fromAsync(readLines(chunksOf(bytes, size)));
      expect(batches.every(({ length }) => length > 0)).toBe(true);
      expect(batches.flat()).toEqual(
        bytes
          .toString()
          .replace(/^\ufeff/, '')
          .split('\n'),
      );
    }),
  );
});
