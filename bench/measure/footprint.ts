import { statSync } from 'node:fs';
import type { Contender } from '../contenders/contender.ts';
import type { Lab } from './lab.ts';
import { memoryMb } from './processes.ts';
import { median } from './statistics.ts';

/** The start time, idle memory and size of a server without load. */
export interface Footprint {
  readonly contender: Contender;
  /** From the start of the process to its first response to getPet. */
  readonly startMs: number;
  readonly idleMemoryMb: number;
  /** The size of the executable, or 0 if the server is not a single file. */
  readonly executableMb: number;
}

const STARTS = 5;
const IDLE_MS = 1_000;

/** Starts the server several times, one start after the other, and returns the medians. */
export async function footprintOf(lab: Lab, contender: Contender): Promise<Footprint> {
  const { program } = contender;
  const [startMs, idleMemoryMb]: [number[], number[]] = [[], []];
  for (let start = 1; start <= STARTS; start++) {
    await using server = await lab.start(contender);
    await Bun.sleep(IDLE_MS);
    startMs.push(server.startMs);
    idleMemoryMb.push(memoryMb(server.pid));
  }
  return {
    contender,
    startMs: median(startMs),
    idleMemoryMb: median(idleMemoryMb),
    executableMb: program === undefined ? 0 : statSync(program).size / 1e6,
  };
}
