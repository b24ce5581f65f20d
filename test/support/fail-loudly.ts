/** For a callback that reports an error which no test expects. */
export function failLoudly(error: unknown): never {
  throw error;
}
