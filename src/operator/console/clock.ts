import { useEffect, useState } from 'preact/hooks';

/** The time that a response takes also counts as a difference, but not as one between clocks. */
const SAME_CLOCK_MS = 2_000;

let aheadMs = 0;

/** The time of the service. The clock of the browser may be wrong, and countdowns with it. */
export function now(): number {
  return Date.now() + aheadMs;
}

/** Takes the time of the service from the `Date` header of its response. */
export function followClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  aheadMs = Math.abs(difference) > SAME_CLOCK_MS ? difference : 0;
}

/** The current time, which renders a component again as often as this. */
export function useNow(intervalMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return time;
}
