import { type Output, standardStreams } from '../standard-streams.ts';
import { formatCount } from './printable.ts';

const REDRAW_MS = 100;
const WIDTH = 30;

export interface ProgressOptions {
  /** Show the rate and the time left, for work that does not wait for others. */
  readonly showsPace?: boolean;
  readonly isHidden?: boolean;
  readonly output?: Output;
}

/** A progress bar on standard error. Prints nothing unless that is a terminal. */
export class Progress implements Disposable {
  done = 0;
  readonly #verb: string;
  readonly #total: number | undefined;
  readonly #showsPace: boolean;
  readonly #output: Output;
  readonly #isShown: boolean;
  readonly #startedAtMs = performance.now();
  /** Undefined while no bar is on the screen. */
  #drawnAtMs: number | undefined;

  /** `verb` is in the past tense: "Exported". `total` is undefined when nobody knows. */
  constructor(verb: string, total: number | undefined, options: ProgressOptions = {}) {
    const { showsPace = false, isHidden = false, output = standardStreams.stderr } = options;
    this.#verb = verb;
    this.#total = total;
    this.#showsPace = showsPace;
    this.#output = output;
    this.#isShown = output.isTTY && !isHidden;
  }

  step(count = 1): void {
    this.done += count;
    const nowMs = performance.now();
    if (nowMs - (this.#drawnAtMs ?? -Infinity) >= REDRAW_MS) this.#draw('', nowMs);
  }

  /** Counts records on their way. */
  async *count<T>(
    batches: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  ): AsyncGenerator<readonly T[]> {
    for await (const batch of batches) {
      this.step(batch.length);
      yield batch;
    }
  }

  /** Shows a note after the bar until the next redraw. */
  note(text: string): void {
    this.#draw(`, ${text}`, performance.now());
  }

  erase(): void {
    if (this.#drawnAtMs !== undefined) this.#output.replaceLine('');
    this.#drawnAtMs = undefined;
  }

  [Symbol.dispose](): void {
    this.erase();
  }

  #draw(note: string, nowMs: number): void {
    if (!this.#isShown) return;
    this.#drawnAtMs = nowMs;
    this.#output.replaceLine(this.#bar((nowMs - this.#startedAtMs) / 1000) + note);
  }

  #bar(seconds: number): string {
    const done = formatCount(this.done);
    const hasPace = this.#showsPace && seconds >= 1 && this.done > 0;
    const rate = hasPace ? `, ${formatCount(Math.round(this.done / seconds))}/s` : '';
    if (this.#total === undefined) return `${this.#verb} ${done}${rate}`;
    const share = this.#total === 0 ? 1 : this.done / this.#total;
    const full = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '-');
    const counts = `${Math.floor(share * 100)} % ${done} of ${formatCount(this.#total)}`;
    const left = hasPace ? `, ${formatSeconds((seconds / share) * (1 - share))} left` : '';
    return `${this.#verb} [${full}] ${counts}${rate}${left}`;
  }
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
