import { afterAll, setDefaultTimeout } from 'bun:test';
import { deleteFolders } from './support/temporary-folder.ts';
import { TEST_TIMEOUT_MS } from './support/time.ts';

setDefaultTimeout(TEST_TIMEOUT_MS);

// This file is preloaded, so this runs after the last test file.
afterAll(deleteFolders);
