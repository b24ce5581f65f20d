import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Serving, serve } from '../test/support/command.ts';
import { requireProgram } from '../test/support/programs.ts';
import type { Settings } from '../test/support/store.ts';
import { newFolder } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';

/** Every call that can change files or their folders, and those that send responses. */
const TRACED = [
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'link', 'linkat', 'symlink'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'rmdir', 'mmap', 'io_uring_setup'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'sendfile', 'copy_file_range'],
  ...['truncate', 'ftruncate', 'fallocate', 'fsync', 'fdatasync', 'sync', 'syncfs'],
  ...['sync_file_range', 'sendto', 'sendmsg', 'sendmmsg'],
];
/** Longer than anything that the service writes at once. */
const MAX_STRING_BYTES = 1_000_000;

export interface SystemCall {
  readonly thread: string;
  readonly name: string;
  /** As strace prints them. `bytesOf` and `pathOf` decode them. */
  readonly args: readonly string[];
  /** The lines of the trace where the call begins and ends. */
  readonly began: number;
  readonly done: number;
  /** As strace prints it. Undefined if the call did not end. */
  readonly result: string | undefined;
}

/** Serves under strace until the work is done, and returns the system calls in their order. */
export async function traceService(
  settings: Settings,
  work: (service: Serving) => Promise<void>,
): Promise<SystemCall[]> {
  const strace = requireProgram('strace');
  const folder = newFolder();
  const path = join(folder, 'trace');
  await using service = await serve(settings, (words) => [
    // -D makes strace the child, so that signals reach the service. -xx prints exact bytes.
    ...[strace, '-D', '-f', '-y', '-xx', '-s', `${MAX_STRING_BYTES}`],
    ...['-e', `trace=${TRACED.map((name) => `?${name}`).join()}`, '-o', path],
    ...words,
  ]);
  await work(service);
  service.kill('SIGTERM');
  const exitCode = await service.exited;
  if (exitCode !== 0) throw new Error(`The traced service exited with ${exitCode}`);
  const exitLine = new RegExp(`^${service.pid} +\\+\\+\\+ exited`, 'm');
  await eventually(() => exitLine.test(readFileSync(path, 'latin1')));
  return parseTrace(readFileSync(path, 'latin1'));
}

function parseTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, { index: number; text: string; began: number }>();
  for (const [line, text] of trace.split('\n').entries()) {
    const thread = text.slice(0, text.indexOf(' '));
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(text);
    const start = resumed === null ? undefined : unfinished.get(thread);
    if (start !== undefined) {
      const call = parseCall(start.text + resumed?.[1], thread, start.began, line);
      if (call !== undefined) calls[start.index] = call;
      unfinished.delete(thread);
      continue;
    }
    const [begun, rest] = text.split(' <unfinished ...>');
    const isUnfinished = rest !== undefined;
    const done = isUnfinished ? Number.POSITIVE_INFINITY : line;
    const call = parseCall(begun as string, thread, line, done);
    if (call === undefined) continue;
    if (isUnfinished) {
      unfinished.set(thread, { index: calls.length, text: begun as string, began: line });
    }
    calls.push(call);
  }
  return calls;
}

function parseCall(
  text: string,
  thread: string,
  began: number,
  done: number,
): SystemCall | undefined {
  const [, name, rest] = /^\d+ +(\w+)\((.*)$/.exec(text) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const end = rest.lastIndexOf(' = ');
  const args = end === -1 ? rest : rest.slice(0, end).trimEnd().slice(0, -1);
  const result = end === -1 ? undefined : rest.slice(end + ' = '.length);
  return { thread, name, args: args.split(', '), began, done, result };
}

/** The bytes of every string in an argument. */
export function bytesOf(argument = ''): Buffer {
  const strings = argument.match(/"(?:\\x..)*"/g) ?? [];
  return Buffer.from(strings.join('').replaceAll(/["\\x]/g, ''), 'hex');
}

/** The path of an open file, from its descriptor. */
export function pathOf(argument = ''): string | undefined {
  const path = /^\d+<((?:\\x..)+)>/.exec(argument)?.[1];
  return path === undefined ? undefined : bytesOf(`"${path}"`).toString();
}

/** The names by id of the pets that a response confirms. */
export function confirmedBy({ args }: SystemCall): [id: number, name: string][] {
  const text = bytesOf(args.join()).toString();
  if (!text.startsWith('HTTP/1.1 201 Created')) return [];
  return [...text.matchAll(/\{"id":(\d+),"name":"([^"]*)"/g)].map(([, id, name]) => [
    Number(id),
    name as string,
  ]);
}
