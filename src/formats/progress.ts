/** Shows an operator how much of some long work is done. `total` is undefined if it is not known. */
export type ShowProgress = (done: number, unit: string, total?: number) => void;

/** Work that is over sooner shows nothing. */
const DRAW_MS = 200;

/** Draws lines such as "1,200 of 5,000 pets, 40/s, 00:01:35 left". `elapsed` returns milliseconds on a monotonic clock. */
export function progressTo(draw: (line: string) => void, elapsed: () => number): ShowProgress {
  let startedMs = 0;
  let drawnMs = 0;
  let drawnUnit: string | undefined;
  const count = (number: number) => Math.round(number).toLocaleString('en-US');
  return (done, unit, total) => {
    const nowMs = elapsed();
    // Another unit means other work.
    if (unit !== drawnUnit) {
      drawnUnit = unit;
      startedMs = nowMs;
      drawnMs = nowMs;
    }
    if (nowMs - drawnMs < DRAW_MS) return;
    drawnMs = nowMs;
    const perMs = done / (nowMs - startedMs);
    const rate = `${unit}, ${count(perMs * 1000)}/s`;
    if (total === undefined) return draw(`${count(done)} ${rate}`);
    const left = new Date(Math.max(0, total - done) / perMs).toISOString().slice(11, 19);
    draw(`${count(done)} of ${count(total)} ${rate}, ${left} left`);
  };
}
