import { openDatabase } from './database.ts';
import { prepareWriteJobs, type WriteJob, type WriteResult } from './write-jobs.ts';

// The thread with the only connection that writes while the service runs. Messages are JSON, which
// takes a fifth of the time of a structured clone.

export type ToWriter =
  | { readonly open: string }
  | { readonly jobs: readonly WriteJob[] }
  | { readonly close: true };

export type FromWriter =
  | { readonly opened: true }
  | { readonly results: readonly WriteResult[] }
  | { readonly failed: { readonly code: string | undefined; readonly message: string } }
  | { readonly closed: true };

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

let close: () => void;
let write: ReturnType<typeof prepareWriteJobs>;

self.onmessage = ({ data }) => {
  self.postMessage(JSON.stringify(respondTo(JSON.parse(data))));
};

function respondTo(message: ToWriter): FromWriter {
  try {
    return execute(message);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { failed: { code, message } };
  }
}

function execute(message: ToWriter): FromWriter {
  if ('open' in message) {
    const database = openDatabase(message.open, { safeIntegers: true });
    write = prepareWriteJobs(database);
    close = () => database.close();
    return { opened: true };
  }
  if ('jobs' in message) return { results: write(message.jobs) };
  close();
  return { closed: true };
}
