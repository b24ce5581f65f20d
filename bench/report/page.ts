import { join } from 'node:path';
import { ROOT } from '../measure/checkout.ts';

export const PAGE = join(ROOT, 'docs/performance.md');
const RESULTS = /(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)/s;

/** The page with new results in place of the old ones. */
export function withResults(page: string, markdown: string): string {
  return page.replace(RESULTS, () => `\n${markdown}\n\n`);
}
