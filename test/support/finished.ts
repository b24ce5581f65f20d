import type { Subprocess } from 'bun';

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for a program to end, and for all that it printed. */
export async function finished(child: Subprocess<'ignore', 'pipe', 'pipe'>): Promise<Finished> {
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
