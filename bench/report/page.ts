import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../measure/checkout.ts';
import type { Pace } from '../measure/windows.ts';

/** A sentence that says when, where and how a run was measured. */
export function conditions(pace: Pace, load: string): string {
  const counts = [...new Set([pace.fewestWindows, pace.mostWindows])].join(' to ');
  const windows = `${counts} windows of ${pace.windowSeconds} s`;
  return `${machine()} Medians of ${windows}, ${load}.`;
}

/** A sentence that says when and on which machine a run was measured. */
export function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const model = `${cpus().length} cores of ${cpus()[0]?.model.trim()}`;
  return `Measured on ${date}: ${model}, Linux ${release()}, Bun ${Bun.version}.`;
}

/** Replaces results on a page of the documentation. */
export function writeResults(page: string, markdown: string, name = 'results'): void {
  const file = join(ROOT, 'docs', page);
  writeFileSync(file, withResults(readFileSync(file, 'utf8'), markdown, name));
}

/** Returns the page with new results between the two comments that have the name of the results. */
export function withResults(page: string, markdown: string, name = 'results'): string {
  const between = new RegExp(`(?<=<!-- ${name}: begin -->\\n).*(?=<!-- ${name}: end -->)`, 's');
  return page.replace(between, () => `\n${markdown}\n\n`);
}

/** A Markdown table, or an empty text if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.toSpliced(1, 0, `|${'---|'.repeat(head.length)}`).join('\n');
}
