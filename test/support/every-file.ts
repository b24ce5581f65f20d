import { afterAll, setDefaultTimeout } from 'bun:test';
import { TEST_TIMEOUT_MS } from './hang.ts';
import { deleteFolders } from './temporary-folder.ts';

setDefaultTimeout(TEST_TIMEOUT_MS);

// This file is preloaded, so this runs after the last test file.
afterAll(deleteFolders);
