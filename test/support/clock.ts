/** A clock that only the test moves. */
export class Clock {
  nowMs: number;

  constructor(start: string | number = '2026-11-15T12:00:00Z') {
    this.nowMs = new Date(start).getTime();
  }

  readonly now = (): number => this.nowMs;

  advance(seconds: number): void {
    this.nowMs += seconds * 1000;
  }

  set(moment: string): void {
    this.nowMs = Date.parse(moment);
  }
}
