/** Only a hang takes longer than these. The first is shorter, so that a wait fails before its test. */
export const WAIT_TIMEOUT_MS = 300_000;
export const TEST_TIMEOUT_MS = 600_000;
