/** What a promise is rejected with. (`expect().rejects` spins the event loop and starves workers.) */
export async function rejection(promise: unknown): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to fail, and did not');
}
