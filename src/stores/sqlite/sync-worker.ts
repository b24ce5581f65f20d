import { fdatasyncSync, openSync } from 'node:fs';

// A thread that syncs a large file while another writes it. One sync of the whole file would hold up the
// commits of a service on the same disk.

const PAUSE_MS = 20;

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

self.onmessage = ({ data: path }) => {
  const file = openSync(path, 'r');
  setInterval(() => fdatasyncSync(file), PAUSE_MS);
};
