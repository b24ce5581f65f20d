/** Only a hang exceeds these limits. A wait fails before its test does, with a better error. */
export const WAIT_TIMEOUT_MS = 300_000;
export const TEST_TIMEOUT_MS = 600_000;
