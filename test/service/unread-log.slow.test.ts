import { expect, test } from 'bun:test';
import { type Serving, serve } from '../support/command.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

/** Runs a service whose log is a pipe. Its buffer holds a few hundred lines. */
async function serveWithPipe() {
  const { path, settings } = newFile();
  const pipe = `${path}-pipe`;
  const service = await serve({ ...settings, LOG_LEVEL: 'info' }, (words) => {
    return ['sh', '-c', 'mkfifo "$0" && exec "$@" 2<>"$0"', pipe, ...words];
  });
  return { service, readPipe: () => new Response(Bun.spawn(['cat', pipe]).stdout).text() };
}

async function send(count: number, { started }: Serving) {
  await Promise.all(Array.from({ length: count }, () => fetch(`${started.api}/pets`)));
}

test('a log that nobody reads blocks no request, and loses only the lines that it counts', async () => {
  const { service, readPipe } = await serveWithPipe();
  await using _ = service;
  const lost = () => service.metric('log_lines_dropped_total');
  let sent = 0;
  await eventually(async () => {
    await send(500, service);
    sent += 500;
    return (await lost()) > 0;
  });
  const lines = await lost();
  service.kill('SIGTERM');
  const log = await readPipe();
  expect(await service.exited).toBe(0);
  const logged = log.trimEnd().split('\n');
  expect(JSON.parse(logged.pop() ?? '')).toMatchObject({ msg: 'log lines dropped', lines });
  expect(logged.filter((line) => JSON.parse(line).msg === 'request')).toHaveLength(sent - lines);
});

test('a log that nobody reads does not delay a stop beyond its deadline', async () => {
  const { service } = await serveWithPipe();
  await using _ = service;
  await send(500, service);
  expect(await service.stop()).toBe(1);
});
