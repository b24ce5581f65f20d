import { formatCount } from './output.ts';

const REDRAW_MS = 100;
const WIDTH = 30;

/** A bar on a terminal's standard error; nothing where that is a file or a pipe. */
export class Progress implements Disposable {
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

  summary(): string {
    this.#erase();
    return `${this.#what} ${formatCount(this.#done)} records.`;
  }

  [Symbol.dispose](): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#drawnAtMs > 0) process.stderr.write('\r\u001b[K');
    this.#drawnAtMs = 0;
  }

  #bar(): string {
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const full = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '-');
    const counts = `${formatCount(this.#done)} of ${formatCount(this.#total)}`;
    return `${this.#what} [${full}] ${Math.floor(share * 100)} % ${counts}`;
  }
}
