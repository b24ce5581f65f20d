import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually, makeKey, type Serving, serve } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CREATIONS = 200;
const AT_ONCE = 50;

interface Call {
  readonly thread: string;
  /** The lines of the trace where the call begins and ends. */
  readonly began: number;
  done: number;
  readonly text: string;
}

/** System calls in the order in which the kernel saw them. */
function parseTrace(trace: string): Call[] {
  const calls: Call[] = [];
  const unfinished = new Map<string, Call>();
  for (const [line, text] of trace.split('\n').entries()) {
    const thread = text.slice(0, text.indexOf(' '));
    if (text.includes(' resumed>')) {
      const call = unfinished.get(thread);
      if (call !== undefined) call.done = line;
      unfinished.delete(thread);
      continue;
    }
    const isUnfinished = text.endsWith('<unfinished ...>');
    const call = {
      thread,
      began: line,
      done: isUnfinished ? Number.POSITIVE_INFINITY : line,
      text,
    };
    if (isUnfinished) unfinished.set(thread, call);
    calls.push(call);
  }
  return calls;
}

/** Sends all requests while the service is paused, so that it reads them at the same time. */
async function sendTogether(service: Serving, requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(service.started.api);
  service.kill('SIGSTOP');
  const sent = requests.map(() => Promise.withResolvers<void>());
  const responses = requests.map((request, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(request, () => sent[index]?.resolve());
    });
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    return promise;
  });
  await Promise.all(sent.map(({ promise }) => promise));
  service.kill('SIGCONT');
  return Promise.all(responses);
}

describe('under strace', () => {
  let writes: Call[];
  let syncs: Call[];
  let responses: Call[];
  const nameOf = (index: number) => `durable-${String(index).padStart(4, '0')}`;

  beforeAll(async () => {
    const strace = requireProgram('strace');
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const tracePath = join(folder.path, 'trace');
    const { secret } = await makeKey(settings, 'traced');
    const watched = 'trace=pwrite64,pwritev,fdatasync,fsync,write,writev,sendto,sendmsg';
    {
      await using service = await serve(settings, (words) => [
        // -D makes strace the child, so that signals reach the service.
        ...[strace, '-D', '-f', '-y', '-s', '9000', '-e', watched, '-o', tracePath],
        ...words,
      ]);
      for (let first = 0; first < CREATIONS; first += AT_ONCE) {
        const requests = Array.from({ length: AT_ONCE }, (_, index) => {
          const body = JSON.stringify({ name: nameOf(first + index), categoryId: 1 });
          return (
            `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
            'Content-Type: application/json\r\nConnection: close\r\n' +
            `Content-Length: ${body.length}\r\n\r\n${body}`
          );
        });
        for (const response of await sendTogether(service, requests)) {
          expect(response).toStartWith('HTTP/1.1 201');
        }
      }
      service.kill('SIGTERM');
      expect(await service.exited).toBe(0);
      const exitLine = new RegExp(`^${service.pid} +\\+\\+\\+ exited`, 'm');
      await eventually(() => exitLine.test(readFileSync(tracePath, 'utf8')));
    }
    const calls = parseTrace(readFileSync(tracePath, 'utf8'));
    writes = calls.filter(({ text }) => /pwrite\w*\(\d+<[^>]*\/store\.db-wal>/.test(text));
    syncs = calls.filter(({ text }) => /f(data)?sync\(\d+<[^>]*\/store\.db-wal>/.test(text));
    responses = calls.filter(({ text }) => text.includes('HTTP/1.1 201 Created'));
  });

  test('no 201 is sent before the pet is written and synced', () => {
    for (let index = 0; index < CREATIONS; index++) {
      const name = nameOf(index);
      const response = responses.find(({ text }) => text.includes(name));
      const write = writes.find(({ text }) => text.includes(name));
      const sync = syncs.find(({ began }) => write !== undefined && began > write.began);
      expect(sync?.done).toBeLessThan(response?.began ?? 0);
    }
  });

  test('concurrent creations share a sync', () => {
    expect(syncs.length).toBeGreaterThan(0);
    expect(syncs.length).toBeLessThan(CREATIONS / 2);
  });

  test('the thread that sends responses never waits for the disk', () => {
    const first = responses.at(0)?.began ?? 0;
    const last = responses.at(-1)?.began ?? 0;
    const meanwhile = syncs.filter(({ began }) => began > first && began < last);
    const responding = new Set(responses.map(({ thread }) => thread));
    const syncing = new Set(meanwhile.map(({ thread }) => thread));
    expect(syncing.size).toBe(1);
    expect(responding.size).toBe(1);
    expect(responding.intersection(syncing).size).toBe(0);
  });
});

test('a pet that was confirmed with 201 survives kill -9', async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
  const { secret } = await makeKey(settings, 'killed');
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const acknowledged = new Set<number>();
  {
    await using service = await serve(settings);
    const url = `${service.started.api}/pets`;
    const createUntilKilled = async (worker: number) => {
      for (let count = 0; ; count++) {
        const body = JSON.stringify({ name: `worker ${worker}, pet ${count}`, categoryId: 1 });
        const response = await fetch(url, { method: 'POST', headers, body });
        acknowledged.add(((await response.json()) as { id: number }).id);
      }
    };
    const workers = Array.from({ length: 16 }, (_, worker) =>
      createUntilKilled(worker).catch(() => {}),
    );
    while (acknowledged.size < 500) await Bun.sleep(1);
    service.kill('SIGKILL');
    await Promise.all(workers);
  }
  await using service = await serve(settings);
  const stored = new Set<number>();
  for (let after = 0; ; ) {
    const page = await fetch(`${service.started.api}/pets?limit=100&after=${after}`, { headers });
    const pets = (await page.json()) as { id: number }[];
    for (const { id } of pets) stored.add(id);
    if (pets.length === 0) break;
    after = pets.at(-1)?.id ?? 0;
  }
  expect(acknowledged.difference(stored).size).toBe(0);
});
