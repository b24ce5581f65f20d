/** The error of a rejected promise. `expect().rejects` blocks the event loop and starves workers. */
export async function rejection(promise: unknown): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejection, but the promise was fulfilled');
}
