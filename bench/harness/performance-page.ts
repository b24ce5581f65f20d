import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toChart } from './chart.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const DOCS = join(import.meta.dir, '../../docs');
export const PAGE = join(DOCS, 'performance.md');
const CHART = 'performance.svg';
const RESULTS = /(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)/s;

/** Puts a run into the documentation, so that no figure there was typed by hand. */
export function writePage(report: Report): void {
  const page = readFileSync(PAGE, 'utf8');
  const results = `![Requests a second, by workload](${CHART})\n\n${toMarkdown(report)}`;
  writeFileSync(PAGE, withResults(page, results));
  writeFileSync(join(DOCS, CHART), toChart(report));
}

/** The page with these results in place of those before. */
export function withResults(page: string, results: string): string {
  return page.replace(RESULTS, () => `\n${results}\n\n`);
}
