/** `npm run test:long` repeats work more often. `npm test` must pass on a slow machine. */
const isLong = Bun.env['TEST_LONG'] !== undefined;

export function amount(usual: number, long: number): number {
  return isLong ? long : usual;
}
