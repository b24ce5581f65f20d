import { afterAll } from 'bun:test';
import { stopSharedServers } from '../support/backends.ts';
import { clockSuite } from './clock-suite.ts';

afterAll(stopSharedServers);

clockSuite('a test clock on two instances', 'shared');
