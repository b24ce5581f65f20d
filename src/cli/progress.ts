import { formatCount } from './output.ts';

const REDRAW_MS = 100;
const WIDTH = 30;

/** A bar on a terminal's standard error; nothing where that is a file or a pipe. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  #done = 0;
  #drawnAtMs = 0;

  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  step(): void {
    this.#done++;
    if (!process.stderr.isTTY || this.#done % 1_000 !== 0) return;
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs < REDRAW_MS) return;
    this.#drawnAtMs = nowMs;
    process.stderr.write(`\r${this.#bar()}`);
  }

  /** Takes the bar away, and returns the line that stays. */
  end(): string {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    return `${this.#what} ${formatCount(this.#done)} records.`;
  }

  #bar(): string {
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const full = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '-');
    const counts = `${formatCount(this.#done)} of ${formatCount(this.#total)}`;
    return `${this.#what} [${full}] ${Math.floor(share * 100)} % ${counts}`;
  }
}
