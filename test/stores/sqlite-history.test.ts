import { afterAll } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { historySuite } from './history-suite.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

historySuite('the usage history in SQLite', () => `sqlite:${join(folder.path, 'store.db')}`);
