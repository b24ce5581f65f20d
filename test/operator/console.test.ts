import { afterAll } from 'bun:test';
import { openEmbedded, openShared, stopSharedServers } from '../support/backends.ts';
import { lacks } from '../support/programs.ts';
import { consoleSuite } from './console-suite.ts';

afterAll(stopSharedServers);

consoleSuite('the console on SQLite', openEmbedded);
if (!lacks('postgres', 'redis-server')) {
  consoleSuite('the console on PostgreSQL and Redis', openShared);
}
