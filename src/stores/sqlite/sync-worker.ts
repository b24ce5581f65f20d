import { fdatasyncSync, openSync } from 'node:fs';

// This thread syncs a large file while another thread writes it. One sync of the whole file at the end would delay the
// commits of a service on the same disk.

const PAUSE_MS = 20;

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

self.onmessage = ({ data: path }) => {
  const file = openSync(path, 'r');
  setInterval(() => fdatasyncSync(file), PAUSE_MS);
};
