/** Random choices that a seed repeats. */
export class Dice {
  constructor(private readonly random: () => number) {}

  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to choose from.');
    return chosen;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }
}
