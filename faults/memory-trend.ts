import { residentMb } from './process-usage.ts';

/** Compares the memory of a process after its warm-up, in the second tenth, with that in the last. */
export class MemoryTrend {
  readonly #pid: number;
  readonly #amount: number;
  readonly #early: number[] = [];
  readonly #late: number[] = [];

  constructor(pid: number, amount: number) {
    this.#pid = pid;
    this.#amount = amount;
  }

  /** Call this often. Memory rises and falls with each garbage collection, so medians are compared. */
  sample(done: number): void {
    const tenth = Math.ceil((10 * done) / this.#amount);
    if (tenth === 2) this.#early.push(residentMb(this.#pid));
    if (tenth === 10) this.#late.push(residentMb(this.#pid));
  }

  get grownMb(): number {
    return Math.round(median(this.#late) - median(this.#early));
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
