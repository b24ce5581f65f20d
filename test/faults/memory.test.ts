import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { type Serving, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MADE_UP_KEYS = amount(200_000, 1_000_000);
const WARM_UP_KEYS = 40_000;
const ALLOWED_MB = 20;
const CONNECTIONS = 8;
const PIPELINED = 500;
const STATUS_LINE = 'HTTP/1.1 4';

function residentMb({ pid }: Serving): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

let minted = 0;
const bytes = new Uint8Array(64);

/** Different bytes each time, cheap enough for a million keys. Keys are written in base 62. */
function nextBytes(): Uint8Array {
  minted++;
  for (let place = 0, rest = minted; place < 4; place++, rest = Math.floor(rest / 62)) {
    bytes[place] = rest % 62;
  }
  return bytes;
}

/** Requests with different, well-formed keys that do not exist. Each batch has another address. */
function batch(): string {
  const address = `10.${(minted >> 16) & 0xff}.${(minted >> 8) & 0xff}.${minted & 0xff}`;
  let requests = '';
  for (let i = 0; i < PIPELINED; i++) {
    requests +=
      `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n` +
      `Authorization: Bearer ${mintSecret(nextBytes)}\r\n\r\n`;
  }
  return requests;
}

/** Sends batches over one connection. Each waits for the responses to the one before. */
function attack(url: URL, batches: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  let left = batches;
  let responses = 0;
  let tail = '';
  function sendNext(): void {
    if (left-- === 0) socket.end();
    else socket.write(batch());
  }
  socket.on('connect', sendNext);
  socket.on('data', (data) => {
    const pieces = (tail + data.toString('latin1')).split(STATUS_LINE);
    tail = pieces.at(-1)?.slice(1 - STATUS_LINE.length) ?? '';
    responses += pieces.length - 1;
    if (responses < PIPELINED) return;
    responses -= PIPELINED;
    sendNext();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve());
  return promise;
}

test('any number of made-up keys grows memory by less than 20 MB', async () => {
  using folder = temporaryFolder();
  const settings = {
    DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}`,
    TRUSTED_PROXIES: '1',
  };
  await using service = await serve(settings);
  const url = new URL(service.started.api);
  const send = (requests: number) =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, () => attack(url, requests / CONNECTIONS / PIPELINED)),
    );
  await send(WARM_UP_KEYS);
  const before = residentMb(service);
  await send(MADE_UP_KEYS);
  const grown = residentMb(service) - before;
  console.log(
    `${MADE_UP_KEYS} made-up keys: ${before.toFixed(1)} MB grew by ${grown.toFixed(1)} MB`,
  );
  expect(grown).toBeLessThan(ALLOWED_MB);
});
