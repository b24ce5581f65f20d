import type { Fault, Finding } from './fault.ts';

const HEAD = '| Fault | Tried | Outcome | Name |\n|---|---|---|---|\n';

/** Replaces or adds the row of a fault in the table of the page. */
export function withRow(
  page: string,
  { name, title, amounts, unit }: Fault,
  findings: readonly Finding[],
): string {
  const tried = `${amounts.full.toLocaleString('en')} ${unit}`;
  const outcome = findings.map((finding) => `${finding.promise}: ${finding.outcome}`).join('; ');
  const cell = `| \`${name}\` |\n`;
  const row = `| ${title} | ${tried} | ${outcome.replaceAll('|', '\\|')} ${cell}`;
  const start = page.indexOf(HEAD) + HEAD.length;
  if (start < HEAD.length) throw new Error('The page has no table of faults.');
  const end = page.indexOf('\n\n', start - 1) + 1 || page.length;
  const rows = page.slice(start, end).match(/.*\n/g) ?? [];
  const kept = rows.filter((each) => !each.endsWith(cell));
  const at = rows.findIndex((each) => each.endsWith(cell));
  kept.splice(at === -1 ? kept.length : at, 0, row);
  return page.slice(0, start) + kept.join('') + page.slice(end);
}
