/** A creation that waits this long for the disk is refused. It may still be committed later. */
export const COMMIT_DEADLINE_MS = 5_000;
