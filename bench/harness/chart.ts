import { isOurs } from './contenders.ts';
import { SMALL } from './fixture.ts';
import { type Report, timesAsFast } from './report.ts';
import { figures } from './results.ts';
import { median } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

const SHOWN: readonly WorkloadName[] = [
  'getPet',
  'listPets20',
  'listPets100',
  'listSold20',
  'createPet',
  'mix',
  'unauthorized',
  'overLimit',
];

const WIDTH = 920;
const LABEL_WIDTH = 300;
const BAR_WIDTH = 380;
const BAR = 18;
const GAP = 4;
const TITLE = 34;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ours { fill: #1a7f37; }
  .other { fill: #8c959f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ours { fill: #3fb950; }
    .other { fill: #6e7681; }
  }`;

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  readonly isOurs: boolean;
}

/** Throughput by workload: a bar for each contender, and how many times as fast ours is. */
export function toChart(report: Report): string {
  const parts: string[] = [];
  let y = 0;
  for (const workload of SHOWN) {
    const bars = barsOf(report, workload);
    if (bars.length === 0) continue;
    y += TITLE;
    parts.push(text(0, y - 10, `${WORKLOADS[workload].title}, requests a second`, 'title'));
    const most = Math.max(...bars.map(({ value }) => value));
    for (const { label, value, note, isOurs } of bars) {
      const width = Math.max(1, Math.round((value / most) * BAR_WIDTH));
      const middle = y + BAR - 5;
      parts.push(
        text(0, middle, label),
        `<rect class="${isOurs ? 'ours' : 'other'}" x="${LABEL_WIDTH}" y="${y}" width="${width}" height="${BAR}" rx="2"/>`,
        text(LABEL_WIDTH + width + 8, middle, note),
      );
      y += BAR + GAP;
    }
  }
  const title = 'Requests a second of Animal Store and others';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + GAP}" ` +
    `width="${WIDTH}" height="${y + GAP}" role="img" aria-label="${title}">\n` +
    `<title>${title}</title>\n<style>${STYLE}\n</style>\n${parts.join('\n')}\n</svg>\n`
  );
}

/** Only what runs on a small store of its own: others are other races. */
function barsOf(report: Report, workload: WorkloadName): Bar[] {
  return report.contenders
    .filter(({ fixture, isShared }) => fixture === SMALL && isShared !== true)
    .flatMap((contender) => {
      const rounds = figures(report.results, contender.name, workload, 'perSecond');
      if (rounds.length === 0) return [];
      const value = median(rounds);
      const times = timesAsFast(report, contender, workload);
      const comparison = times === undefined ? '' : ` (Animal Store: ${times.toFixed(2)} ×)`;
      const note = `${Math.round(value).toLocaleString('en-US')}${comparison}`;
      return [{ label: contender.title, value, note, isOurs: isOurs(contender) }];
    });
}

function text(x: number, y: number, content: string, kind?: string): string {
  const style = kind === undefined ? '' : ` class="${kind}"`;
  return `<text${style} x="${x}" y="${y}">${escapeXml(content)}</text>`;
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
