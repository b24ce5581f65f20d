import { beforeAll, describe, expect, test } from 'bun:test';
import { makeKey, type Serving } from '../support/command.ts';
import { creationHead, rawHttp } from '../support/raw-http.ts';
import {
  bytesOf,
  confirmedBy,
  pathOf,
  type SystemCall,
  traceService,
} from '../support/system-calls.ts';
import { newFile } from '../support/temporary-folder.ts';

const CREATIONS = 200;
const AT_ONCE = 50;

/** Sends all requests while the service is paused, so that it reads them at the same time. */
async function sendTogether(service: Serving, requests: readonly string[]): Promise<string[]> {
  service.kill('SIGSTOP');
  const sent = requests.map(() => Promise.withResolvers<void>());
  const responses = requests.map((request, index) => {
    const chunks = async function* () {
      yield request;
      sent[index]?.resolve();
    };
    return rawHttp(service.started.api, chunks());
  });
  await Promise.all(sent.map(({ promise }) => promise));
  service.kill('SIGCONT');
  return Promise.all(responses);
}

describe('under strace', () => {
  let writes: SystemCall[];
  let syncs: SystemCall[];
  let responses: SystemCall[];
  const nameOf = (index: number) => `durable-${String(index).padStart(4, '0')}`;

  beforeAll(async () => {
    const { settings } = newFile();
    const { secret } = await makeKey(settings, 'traced');
    const calls = await traceService(settings, async (service) => {
      for (let first = 0; first < CREATIONS; first += AT_ONCE) {
        const requests = Array.from({ length: AT_ONCE }, (_, index) => {
          const body = JSON.stringify({ name: nameOf(first + index), categoryId: 1 });
          return creationHead(secret, body, 'Connection: close') + body;
        });
        for (const response of await sendTogether(service, requests)) {
          expect(response).toStartWith('HTTP/1.1 201');
        }
      }
    });
    const ofLog = calls.filter(({ args }) => pathOf(args[0])?.endsWith('/store.db-wal'));
    writes = ofLog.filter(({ name }) => name.startsWith('pwrite'));
    syncs = ofLog.filter(({ name }) => name === 'fsync' || name === 'fdatasync');
    responses = calls.filter((call) => confirmedBy(call).length > 0);
  });

  test('no 201 is sent before the pet is written and synced', () => {
    for (let index = 0; index < CREATIONS; index++) {
      const name = nameOf(index);
      const response = responses.find((call) => confirmedBy(call)[0]?.[1] === name);
      const write = writes.find(({ args }) => bytesOf(args[1]).includes(name));
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
