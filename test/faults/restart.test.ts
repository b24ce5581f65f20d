import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { eventually, makeKey, type Serving, type Settings, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIMITS = ['enterprise', '--per-minute', '1000000', '--per-day', '1000'];

async function remainingToday(service: Serving, secret: string): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await fetch(`${service.started.api}/pets`, { headers });
  return Number(response.headers.get('x-ratelimit-remaining'));
}

async function settingsWithKey(path: string): Promise<{ settings: Settings; secret: string }> {
  const settings = { DATABASE_URL: `sqlite:${join(path, 'store.db')}` };
  return { settings, secret: (await makeKey(settings, 'counted', LIMITS)).secret };
}

describe('what was counted', () => {
  test('is all there after SIGTERM', async () => {
    using folder = temporaryFolder();
    const { settings, secret } = await settingsWithKey(folder.path);
    {
      await using service = await serve(settings);
      const counted = await Promise.all(
        Array.from({ length: 100 }, () => remainingToday(service, secret)),
      );
      expect(Math.min(...counted)).toBe(900);
      service.kill('SIGTERM');
      expect(await service.exited).toBe(0);
    }
    await using service = await serve(settings);
    expect(await remainingToday(service, secret)).toBe(899);
  });

  test('is there after kill -9 once it was saved, which happens within the second', async () => {
    using folder = temporaryFolder();
    const { settings, secret } = await settingsWithKey(folder.path);
    {
      await using service = await serve(settings);
      for (let i = 0; i < 10; i++) await remainingToday(service, secret);
      // Counts are saved every half second: twice that is long enough for all ten.
      await Bun.sleep(1_000);
      service.kill('SIGKILL');
    }
    await using service = await serve(settings);
    expect(await remainingToday(service, secret)).toBe(989);
  });
});

describe('SIGTERM', () => {
  test('lets what is in flight finish, refuses new connections and exits with 0', async () => {
    using folder = temporaryFolder();
    const { settings, secret } = await settingsWithKey(folder.path);
    await using service = await serve(settings);
    const url = new URL(service.started.api);
    const body = '{"name":"In flight","categoryId":1}';
    let answer = '';
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        data(_, data) {
          answer += data.toString();
        },
      },
    });
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    await Bun.sleep(100);
    service.kill('SIGTERM');
    const refused = () =>
      fetch(service.started.api).then(
        () => false,
        () => true,
      );
    await eventually(refused);
    expect(service.exitCode()).toBeNull();
    socket.write(body.slice(10));
    expect(await service.exited).toBe(0);
    expect(answer).toStartWith('HTTP/1.1 201');
  });

  test('a second signal ends it at once', async () => {
    using folder = temporaryFolder();
    const { settings, secret } = await settingsWithKey(folder.path);
    await using service = await serve(settings);
    const url = new URL(service.started.api);
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: { data() {} },
    });
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    await Bun.sleep(100);
    service.kill('SIGTERM');
    await eventually(() =>
      fetch(service.started.api).then(
        () => false,
        () => true,
      ),
    );
    service.kill('SIGTERM');
    expect(await service.exited).toBe(128 + 15);
  });

  test('a request that never ends is cut off, so that it exits all the same', async () => {
    using folder = temporaryFolder();
    const { settings, secret } = await settingsWithKey(folder.path);
    await using service = await serve(settings);
    const url = new URL(service.started.api);
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: { data() {} },
    });
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    await Bun.sleep(100);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  }, 20_000);
});
