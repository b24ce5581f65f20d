import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskFile, DiskFolder, DiskNode, TimedChange } from './disk-changes.ts';

const SECTOR_BYTES = 512;

/**
 * Writes a folder as a power cut may leave it. A sync of a file keeps its data; only a sync of its
 * folder keeps its name. The disk has stored everything else up to a random time, which differs for each
 * sector and name.
 */
export function writeFolderAfterCut(
  path: string,
  root: DiskFolder,
  changes: readonly TimedChange[],
  cutAt: number,
  random: () => number,
): void {
  const begun = changes.filter(({ began }) => began < cutAt);
  const storedUntil = chooseStoredTimes(begun, cutAt, random);
  const names = new Map<DiskFolder, Map<string, DiskNode>>();
  const contents = new Map<DiskFile, Content>();
  const namesOf = (folder: DiskFolder) =>
    names.getOrInsertComputed(folder, ({ entries }) => new Map(entries));
  const contentOf = (file: DiskFile) =>
    contents.getOrInsertComputed(file, ({ content }) => new Content(content));

  for (const change of begun) {
    if ('synced' in change) continue;
    const isStored = (node: DiskNode, part: string | number) => storedUntil(node, part, change);
    if ('folder' in change) {
      // A rename is atomic, so one of its two names tells whether the disk has stored it.
      if (!isStored(change.folder, change.names.at(-1)?.[0] ?? '')) continue;
      for (const [name, node] of change.names) {
        if (node === undefined) namesOf(change.folder).delete(name);
        else namesOf(change.folder).set(name, node);
      }
    } else if ('size' in change) {
      const { file, size } = change;
      if (isStored(file, 'size')) contentOf(file).resize(size);
    } else {
      const { file, offset, data } = change;
      for (let at = offset; at < offset + data.length; ) {
        const sector = Math.floor(at / SECTOR_BYTES);
        const end = Math.min((sector + 1) * SECTOR_BYTES, offset + data.length);
        if (isStored(file, sector))
          contentOf(file).write(data.subarray(at - offset, end - offset), at);
        at = end;
      }
    }
  }
  writeFolder(path, root, namesOf, contentOf);
}

/** Decides for each sector and each name until which time the disk has stored its changes. */
function chooseStoredTimes(begun: readonly TimedChange[], cutAt: number, random: () => number) {
  const syncs = new Map<DiskNode, number>();
  for (const change of begun) {
    if ('synced' in change && change.done < cutAt) syncs.set(change.synced, change.began);
  }
  const start = begun[0]?.began ?? cutAt;
  const styles = new Map<DiskNode, number>();
  const chosen = new Map<DiskNode, Map<string | number, number>>();
  /** Of the changes since the last sync, the disk has stored none for some files, all for others, and a part for the rest. */
  const choose = (node: DiskNode, syncedAt: number) => {
    const style = styles.getOrInsertComputed(node, random);
    if (style < 1 / 4) return syncedAt;
    if (style < 1 / 2) return cutAt;
    return syncedAt + (cutAt - syncedAt) * Math.min(1, Math.max(0, 3 * random() - 1));
  };
  return (node: DiskNode, part: string | number, { began, done }: TimedChange): boolean => {
    const syncedAt = syncs.get(node) ?? start;
    if (done < syncedAt) return true;
    const parts = chosen.getOrInsertComputed(node, () => new Map());
    return began < parts.getOrInsertComputed(part, () => choose(node, syncedAt));
  };
}

function writeFolder(
  path: string,
  folder: DiskFolder,
  namesOf: (folder: DiskFolder) => ReadonlyMap<string, DiskNode>,
  contentOf: (file: DiskFile) => Content,
): void {
  mkdirSync(path, { recursive: true });
  for (const [name, node] of namesOf(folder)) {
    if ('entries' in node) writeFolder(join(path, name), node, namesOf, contentOf);
    else writeFileSync(join(path, name), contentOf(node).bytes());
  }
}

/** A buffer that grows without being copied at each write. */
class Content {
  #bytes: Buffer;
  #size: number;

  constructor(initial: Buffer) {
    this.#bytes = Buffer.from(initial);
    this.#size = initial.length;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  write(data: Buffer, offset: number): void {
    if (offset + data.length > this.#size) this.resize(offset + data.length);
    this.#bytes.set(data, offset);
  }

  resize(size: number): void {
    if (size > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.bytes(), Buffer.alloc(2 * size - this.#size)]);
    }
    this.#bytes.fill(0, Math.min(size, this.#size));
    this.#size = size;
  }
}
