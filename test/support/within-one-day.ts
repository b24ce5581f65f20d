/** A test of counts of a day, which runs again if it fails while a day of UTC ends. */
export function withinOneDay(check: () => Promise<void>): () => Promise<void> {
  const today = () => new Date().getUTCDate();
  return async () => {
    const day = today();
    try {
      await check();
    } catch (error) {
      if (today() === day) throw error;
      await check();
    }
  };
}
