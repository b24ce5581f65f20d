import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../measure/checkout.ts';
import type { Pace } from '../measure/windows.ts';

const RESULTS = /(?<=<!-- results: begin -->\n).*(?=<!-- results: end -->)/s;

/** When, where and how a run was measured. */
export function conditions(pace: Pace, load: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const counts = [...new Set([pace.fewestWindows, pace.mostWindows])].join(' to ');
  const windows = `${counts} windows of ${pace.windowSeconds} s`;
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Linux ${release()}`;
  return `Measured on ${date}: medians of ${windows}, ${load}. ${machine}, Bun ${Bun.version}.`;
}

/** Replaces the results on a page of the documentation. */
export function writeResults(page: string, markdown: string): void {
  const file = join(ROOT, 'docs', page);
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), markdown));
}

/** The page with new results in place of the old ones. */
export function withResults(page: string, markdown: string): string {
  return page.replace(RESULTS, () => `\n${markdown}\n\n`);
}

/** A table of Markdown, or nothing without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.toSpliced(1, 0, `|${'---|'.repeat(head.length)}`).join('\n');
}
