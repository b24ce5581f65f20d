import { type Output, standardStreams } from '../standard-streams.ts';
import { formatCount } from './printable.ts';

const REDRAW_MS = 100;
const WIDTH = 30;

export interface ProgressOptions {
  /** The plural of what is counted. */
  readonly noun?: string;
  /** Show the rate and the time left, for work that does not wait for others. */
  readonly showsPace?: boolean;
  /** Standard output may be the same terminal, where data and a bar would mix. */
  readonly isHidden?: boolean;
  readonly output?: Output;
}

/** A progress bar on standard error. Prints nothing unless that is a terminal. */
export class Progress implements Disposable {
  readonly #verb: string;
  readonly #total: number | undefined;
  readonly #options: ProgressOptions;
  readonly #output: Output;
  readonly #isShown: boolean;
  readonly #startedAtMs = performance.now();
  #done = 0;
  /** The part of the work that is done, if it is not known from the records. */
  #share: number | undefined;
  /** Undefined while no bar is on the screen. */
  #drawnAtMs: number | undefined;

  /** `verb` is in the past tense: "Exported". `total` is undefined when nobody knows. */
  constructor(verb: string, total: number | undefined, options: ProgressOptions = {}) {
    this.#verb = verb;
    this.#total = total;
    this.#options = options;
    this.#output = options.output ?? standardStreams.stderr;
    this.#isShown = this.#output.isTTY && !options.isHidden;
  }

  /** `share` is the part of the work that is done, from 0 to 1, if the total is not known. */
  step(count = 1, share?: number): void {
    this.#done += count;
    this.#share = share;
    if (!this.#isShown) return;
    const nowMs = performance.now();
    if (nowMs - (this.#drawnAtMs ?? -Infinity) >= REDRAW_MS) this.#draw('', nowMs);
  }

  /** Shows a note after the bar until the next redraw. */
  note(text: string): void {
    if (this.#isShown) this.#draw(`, ${text}`, performance.now());
  }

  summary(): string {
    this.#erase();
    const noun = this.#options.noun ?? 'records';
    return `${this.#verb} ${formatCount(this.#done)} ${this.#done === 1 ? noun.slice(0, -1) : noun}.`;
  }

  [Symbol.dispose](): void {
    this.#erase();
  }

  #draw(note: string, nowMs: number): void {
    this.#drawnAtMs = nowMs;
    this.#output.replaceLine(`${this.#bar()}${this.#pace(nowMs)}${note}`);
  }

  #erase(): void {
    if (this.#drawnAtMs !== undefined) this.#output.replaceLine('');
    this.#drawnAtMs = undefined;
  }

  #bar(): string {
    const share = this.#shareDone();
    const done = formatCount(this.#done);
    if (share === undefined) return `${this.#verb} ${done}`;
    const full = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '-');
    const counts = this.#share === undefined ? `${done} of ${formatCount(this.#total ?? 0)}` : done;
    return `${this.#verb} [${full}] ${Math.floor(share * 100)} % ${counts}`;
  }

  /** Rate and time left, once there is something to measure. */
  #pace(nowMs: number): string {
    const seconds = (nowMs - this.#startedAtMs) / 1000;
    if (!this.#options.showsPace || seconds < 1 || this.#done === 0) return '';
    const rate = `, ${formatCount(Math.round(this.#done / seconds))}/s`;
    const share = this.#shareDone();
    if (share === undefined || share === 0) return rate;
    return `${rate}, ${formatSeconds((seconds / share) * (1 - share))} left`;
  }

  #shareDone(): number | undefined {
    if (this.#share !== undefined) return Math.min(this.#share, 1);
    if (this.#total === undefined) return undefined;
    return this.#total === 0 ? 1 : this.#done / this.#total;
  }
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
