import { afterAll } from 'bun:test';
import { stopSharedServers } from './backends.ts';

// Loaded before every test file, so that this comes after the last one.
afterAll(stopSharedServers);
