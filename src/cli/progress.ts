import { formatCount } from './output.ts';

const REDRAW_MS = 100;
const WIDTH = 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A progress bar on standard error. Prints nothing unless that is a terminal. */
export class Progress implements Disposable {
  readonly #verb: string;
  readonly #total: number;
  #done = 0;
  /** Undefined while no bar is on the screen. */
  #drawnAtMs: number | undefined;

  /** Erases the bar, then lets the signal take its default action. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    this[Symbol.dispose]();
    process.kill(process.pid, signal);
  };

  /** `verb` is in the past tense: "Exported". */
  constructor(verb: string, total: number) {
    this.#verb = verb;
    this.#total = total;
    if (!process.stderr.isTTY) return;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  step(): void {
    this.#done++;
    if (!process.stderr.isTTY) return;
    const nowMs = performance.now();
    if (nowMs - (this.#drawnAtMs ?? -Infinity) >= REDRAW_MS) this.#draw('', nowMs);
  }

  /** Shows a note after the bar until the next redraw. */
  note(text: string): void {
    if (process.stderr.isTTY) this.#draw(`, ${text}`, performance.now());
  }

  summary(): string {
    this.#erase();
    return `${this.#verb} ${formatCount(this.#done)} records.`;
  }

  [Symbol.dispose](): void {
    this.#erase();
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  #draw(note: string, nowMs: number): void {
    this.#drawnAtMs = nowMs;
    process.stderr.write(`\r\u001b[K${this.#bar()}${note}`);
  }

  #erase(): void {
    if (this.#drawnAtMs !== undefined) process.stderr.write('\r\u001b[K');
    this.#drawnAtMs = undefined;
  }

  #bar(): string {
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const full = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '-');
    const counts = `${formatCount(this.#done)} of ${formatCount(this.#total)}`;
    return `${this.#verb} [${full}] ${Math.floor(share * 100)} % ${counts}`;
  }
}
