import { useEffect, useState } from 'preact/hooks';

export function now(): number {
  return Date.now();
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
