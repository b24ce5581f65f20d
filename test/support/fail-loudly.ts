/** For error callbacks that the test does not expect. */
export function failLoudly(error: unknown): never {
  throw error;
}
