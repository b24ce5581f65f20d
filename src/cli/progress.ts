import { formatCount } from './output.ts';

const REDRAW_MS = 100;
const WIDTH = 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A bar on a terminal's standard error; nothing where that is a file or a pipe. */
export class Progress implements Disposable {
  readonly #what: string;
  readonly #total: number;
  #done = 0;
  #drawnAtMs = 0;

  /** Leaves the terminal clean, and then to the signal what it does to any program. */
  readonly #endBySignal = (signal: NodeJS.Signals): void => {
    this[Symbol.dispose]();
    process.kill(process.pid, signal);
  };

  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
    if (!process.stderr.isTTY) return;
    for (const signal of SIGNALS) process.on(signal, this.#endBySignal);
  }

  step(): void {
    this.#done++;
    if (!process.stderr.isTTY) return;
    const nowMs = performance.now();
    if (nowMs - this.#drawnAtMs >= REDRAW_MS) this.#draw('', nowMs);
  }

  /** Tells what keeps it, until the next step. */
  say(note: string): void {
    if (process.stderr.isTTY) this.#draw(`, ${note}`, performance.now());
  }

  summary(): string {
    this.#erase();
    return `${this.#what} ${formatCount(this.#done)} records.`;
  }

  [Symbol.dispose](): void {
    this.#erase();
    for (const signal of SIGNALS) process.off(signal, this.#endBySignal);
  }

  #draw(note: string, nowMs: number): void {
    this.#drawnAtMs = nowMs;
    process.stderr.write(`\r\u001b[K${this.#bar()}${note}`);
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
