/** The pause after a slice takes this many times as long as the slice. */
const PAUSES = 3;
/** Only requests of this process wait for a read. After a short one, they come first even without a pause. */
const SHORT_READ_MS = 2;

/**
 * Does a short slice of work in the background, and then pauses so that requests come first. Requests of other
 * processes may wait for the lock of a write. SQLite tries to get a lock only now and then, so if the pause were
 * short, some of them would find the lock taken again and again.
 */
export async function inSlice<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedAtMs;
  const needsPause = kind === 'write' || tookMs >= SHORT_READ_MS;
  await (needsPause ? Bun.sleep(PAUSES * tookMs) : new Promise(setImmediate));
  return result;
}
