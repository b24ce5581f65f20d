import { describe, expect, test } from 'bun:test';
import { SECTIONS } from '../../src/conformance/sections.ts';
import { BROKEN_SERVERS } from './broken-servers.ts';
import { checkSmallServer } from './check-small-server.ts';

describe('a server that', () => {
  for (const { name, caughtBy, ...server } of BROKEN_SERVERS) {
    test(`${name} fails just there`, async () => {
      const { failedIds } = await checkSmallServer(server);
      expect([...failedIds].sort()).toEqual([...caughtBy].sort());
    });
  }
});

test('every check is made to fail by some server, but for those that cannot', () => {
  const caught = new Set(BROKEN_SERVERS.flatMap(({ caughtBy }) => caughtBy));
  const ids = SECTIONS.flatMap(({ checks }) => checks.map(({ id }) => id));
  expect(ids.filter((id) => !caught.has(id))).toEqual([
    'service.addresses',
    // These two fail in run.test.ts, by their address and on their day.
    'service.prefix',
    'getPet.removed',
    'versioning.version',
    'versioning.stability',
    'errors.429.body',
    'limits.free.perDay',
    'limits.pro',
    'limits.business',
    'limits.enterprise',
    'limits.exceeded.backoff',
    'limits.exceeded.ban',
  ]);
});
