import { fdatasyncSync, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { progressTo } from '#formats/progress.ts';

// This thread follows a large file while SQLite or the system writes it, which keeps the main thread busy. It syncs the
// file, because one sync of the whole file at the end would delay the commits of a service on the same disk. On a
// terminal, it shows how much is copied.

const PAUSE_MS = 20;
const MEGABYTE = 1e6;

declare const self: Worker & { onmessage: (event: MessageEvent<[string, number]>) => void };

self.onmessage = ({ data: [path, bytes] }) => {
  const file = openSync(path, 'r');
  const show = progressTo(
    (line) => {
      if (isatty(2)) writeSync(2, `\r${line}\x1b[K`);
    },
    () => performance.now(),
  );
  setInterval(() => {
    fdatasyncSync(file);
    show(fstatSync(file).size / MEGABYTE, 'MB copied before a check', bytes / MEGABYTE);
  }, PAUSE_MS);
};
