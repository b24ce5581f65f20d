import type { Serving } from '../test/support/command.ts';

/** Returns true if the process that was started still runs and is healthy. */
export async function isAlive({ exitCode, started }: Serving): Promise<boolean> {
  const health = await fetch(`${started.operator}/health/live`).catch(() => undefined);
  return health?.ok === true && exitCode() === null;
}

/** Lines of the log that are not about requests. The runtime's own messages are not JSON. */
export function errorLines({ stderr }: Serving): readonly string[] {
  const lines = stderr().split('\n');
  return lines.filter((line) => line !== '' && !/^\{"level":"(info|warn)"/.test(line));
}
