import { afterAll, setDefaultTimeout } from 'bun:test';
import { stopSharedServers } from './backends.ts';
import { TEST_TIMEOUT_MS } from './hang.ts';

// For a file that is run without the --timeout of scripts/run-tests.ts.
setDefaultTimeout(TEST_TIMEOUT_MS);

// Loaded before every test file, so that this comes after the last one.
afterAll(stopSharedServers);
