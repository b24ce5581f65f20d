/** `npm run test:long` does more of the same work; `npm test` must pass on a slow machine. */
const isLong = Bun.env['TEST_LONG'] !== undefined;

export function amount(usual: number, long: number): number {
  return isLong ? long : usual;
}
