import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../measure/checkout.ts';

const RESULTS = /(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)/s;

/** Replaces the results on a page of the documentation. */
export function writeResults(page: string, markdown: string): void {
  const file = join(ROOT, 'docs', page);
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), markdown));
}

/** The page with new results in place of the old ones. */
export function withResults(page: string, markdown: string): string {
  return page.replace(RESULTS, () => `\n${markdown}\n\n`);
}
