import { describe, expect, test } from 'bun:test';
import { exchange, HANG_MS } from '../../faults/raw-connection.ts';
import { creationHead, head, rawHttp } from '../support/http.ts';
import { startServiceForAll, type TestService } from '../support/service.ts';
import { eventually } from '../support/time.ts';

// Most of the faults of the runtime that docs/reliability.md lists. If one of these tests fails, the runtime has been
// fixed: remove the test and its line in the document.

const REX = '{"name":"Rex","categoryId":1}';

/** Resolves when a creation has reached the store. */
let reached: PromiseWithResolvers<void>;
/** The creation continues when this resolves. */
let released: PromiseWithResolvers<void>;

const service: TestService = await startServiceForAll({
  replace: {
    pets: {
      getPet: (id) => service.store.pets.getPet(id),
      listPets: (query) => service.store.pets.listPets(query),
      async createPet(newPet, once) {
        reached.resolve();
        await released.promise;
        return service.store.pets.createPet(newPet, once);
      },
    },
  },
});

function request(method: string, target: string, ...headers: string[]) {
  const authorization = `Authorization: Bearer ${service.key.secret}`;
  return head(`${method} ${target} HTTP/1.1`, ...headers, authorization);
}

async function petCount() {
  return (await service.store.pets.listPets({ limit: 1_000 })).length;
}

/** Sends a creation, then more bytes once the store has it. Returns the response and the pets added. */
async function createThenSend(creation: string, later: string) {
  const before = await petCount();
  reached = Promise.withResolvers();
  released = Promise.withResolvers();
  const responses = service.observed.length;
  const received = await rawHttp(
    service.url,
    (async function* () {
      yield creation;
      await reached.promise;
      yield later;
    })(),
  );
  released.resolve();
  while (service.observed.length === responses) await Bun.sleep(1);
  return { received, added: (await petCount()) - before };
}

function wholeCreation() {
  return creationHead(service.key.secret, REX) + REX;
}

/** The head, without the empty line that ends it. */
function chunked(body: string): string {
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`;
  return request('POST', '/v1/pets', ...headers) + chunks;
}

describe('the runtime still', () => {
  test('drops a response that waits when another request arrives, although the pet is stored', async () => {
    expect(await createThenSend(wholeCreation(), request('GET', '/v1/pets/1'))).toEqual({
      received: '',
      added: 1,
    });
  });

  test.each([
    ['trailers', () => chunked(REX), 'X-Sum: 1\r\n\r\n'],
    ['an empty line', wholeCreation, '\r\n'],
  ])(
    'responds 400 to %s in a later packet than the body, although the pet is stored',
    async (_, creation, later) => {
      expect(await createThenSend(creation(), later)).toEqual({
        received: 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
        added: 1,
      });
    },
  );

  test('drops the response to a client that ended its sending side, although the pet is stored', async () => {
    const before = await petCount();
    const { received } = await exchange(service.url, {
      parts: [Buffer.from(wholeCreation())],
      isDone: () => false,
      halfCloses: true,
      timeoutMs: HANG_MS,
    });
    expect(received).toBe('');
    await eventually(async () => (await petCount()) === before + 1);
  });

  test.each(['FOO', 'get'])('closes the connection on the unknown method %s', async (method) => {
    expect(await rawHttp(service.url, [request(method, '/v1/pets')])).toBe('');
  });

  test.each([
    ['OPTIONS *', 400, () => request('OPTIONS', '*')],
    ['a URL of 20 KB, which should be 414,', 431, () => request('GET', `/${'a'.repeat(20_000)}`)],
    [
      '300 headers',
      431,
      () => request('GET', '/v1/pets', ...Array.from({ length: 300 }, (_, i) => `X-${i}: a`)),
    ],
  ])('responds to %s with a bare %d', async (_, status, make) => {
    const response = await rawHttp(service.url, [make()]);
    expect(response).toStartWith(`HTTP/1.1 ${status}`);
    expect(response).toEndWith('\r\nConnection: close\r\n\r\n');
    expect(response).not.toContain('X-RateLimit');
  });
});
