import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytesOf, pathOf, type SystemCall } from './system-calls.ts';

/** A file with the content that it had before the trace. */
export interface DiskFile {
  readonly content: Buffer;
}

/** A folder with the entries that it had before the trace. */
export interface DiskFolder {
  readonly entries: ReadonlyMap<string, DiskNode>;
}

export type DiskNode = DiskFile | DiskFolder;

/** The effect of a system call on a file or folder. A name whose node is undefined was removed. */
type DiskChange =
  | { readonly file: DiskFile; readonly offset: number; readonly data: Buffer }
  | { readonly file: DiskFile; readonly size: number }
  | {
      readonly folder: DiskFolder;
      readonly names: readonly (readonly [string, DiskNode | undefined])[];
    }
  | { readonly synced: DiskNode };

/** The call began before the time `began` and ended before the time `done`. */
export type TimedChange = DiskChange & { readonly began: number; readonly done: number };

/** Reads a folder as it is now. */
export function readFolder(path: string): DiskFolder {
  const entries = readdirSync(path, { withFileTypes: true }).map((entry): [string, DiskNode] => {
    const inside = join(path, entry.name);
    return [
      entry.name,
      entry.isDirectory() ? readFolder(inside) : { content: readFileSync(inside) },
    ];
  });
  return { entries: new Map(entries) };
}

/** The changes of a folder by calls. Throws if a call is not known, since a replay would be wrong. */
export function changesOf(
  calls: readonly SystemCall[],
  path: string,
  before: DiskFolder,
): TimedChange[] {
  const seen = new SeenFolder(path, before);
  return calls.flatMap((call) =>
    // Adding a half puts the end of a call between its own line and the next.
    seen.follow(call).map((change) => ({ ...change, began: call.began, done: call.done + 0.5 })),
  );
}

/** The folder as running programs see it, with changes that are not synced yet. */
class SeenFolder {
  readonly #path: string;
  readonly #nodes = new Map<string, DiskNode>();
  readonly #opened = new Map<string, DiskNode>();

  constructor(path: string, root: DiskFolder) {
    this.#path = path;
    this.#add(path, root);
  }

  #add(path: string, node: DiskNode): void {
    this.#nodes.set(path, node);
    if (!('entries' in node)) return;
    for (const [name, entry] of node.entries) this.#add(join(path, name), entry);
  }

  follow({ name, args, result }: SystemCall): readonly DiskChange[] {
    const given = args.map((arg) => pathOf(arg) ?? bytesOf(arg).toString());
    const [path, newPath] = given.filter((text) => `${text}/`.startsWith(`${this.#path}/`));
    if (path === undefined || result === undefined || result.startsWith('-1 ')) return [];
    switch (name) {
      case 'openat':
        return this.#open(path, args[2] ?? '', result);
      case 'mkdir':
        return [this.#name([path, { entries: new Map() }])];
      case 'unlink':
        return [this.#name([path, undefined])];
      case 'rename':
        return [this.#name([path, undefined], [newPath ?? '', this.#nodes.get(path)])];
      case 'pwrite64':
        return [this.#write(args, Number(result))];
      case 'ftruncate':
        return [{ file: this.#file(args), size: Number(args[1]) }];
      case 'fsync':
      case 'fdatasync':
        return [{ synced: this.#node(args) }];
      case 'mmap':
        // These mappings do not change what a power cut leaves: SQLite rebuilds its shared memory at the first start
        // after the cut, and all other files are mapped only for reading.
        if (path.endsWith('-shm') || !/PROT_WRITE.*MAP_SHARED/.test(args.join())) return [];
    }
    throw new Error(`The replay does not know what ${name} does to ${path}`);
  }

  #open(path: string, flags: string, result: string): readonly DiskChange[] {
    const found = this.#nodes.get(path);
    const node = found ?? { content: Buffer.alloc(0) };
    this.#opened.set(result, node);
    if (found === undefined) return [this.#name([path, node])];
    return flags.includes('O_TRUNC') ? [{ file: found as DiskFile, size: 0 }] : [];
  }

  #name(...names: readonly (readonly [path: string, node: DiskNode | undefined])[]): DiskChange {
    const folders = new Set(names.map(([path]) => dirname(path)));
    const folder = this.#nodes.get([...folders].join()) as DiskFolder | undefined;
    if (folder === undefined)
      throw new Error('The replay does not know how to move between folders');
    for (const [path, node] of names) {
      if (node === undefined) this.#nodes.delete(path);
      else this.#nodes.set(path, node);
    }
    return { folder, names: names.map(([path, node]) => [basename(path), node]) };
  }

  #write(args: readonly string[], length: number): DiskChange {
    const data = bytesOf(args[1]).subarray(0, length);
    if (data.length !== length) throw new Error('The trace has only a part of a write');
    return { file: this.#file(args), offset: Number(args[3]), data };
  }

  #file(args: readonly string[]): DiskFile {
    return this.#node(args) as DiskFile;
  }

  /** The node of a descriptor, which strace prints with the path of its file. */
  #node([descriptor = '']: readonly string[]): DiskNode {
    const node = this.#opened.get(descriptor.replace('(deleted)', ''));
    if (node === undefined) throw new Error(`The trace has no openat of ${descriptor}`);
    return node;
  }
}
