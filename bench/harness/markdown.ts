import type { Contender } from './contender.ts';
import type { GoalResult } from './goals.ts';
import { type Report, timesAsFast } from './report.ts';
import { figures, type Sample } from './results.ts';
import { median, spread } from './statistics.ts';
import { WORKLOAD_NAMES, WORKLOADS, type WorkloadName } from './workloads.ts';

export function toMarkdown(report: Report): string {
  const { takenAt, machine, rounds, seconds, connections } = report;
  const parts = Object.entries(machine).filter(([, value]) => value !== '');
  return [
    `Measured on ${takenAt}: ${rounds} rounds of ${seconds} s, ${connections} connections; ` +
      'medians of the rounds. ±: largest less smallest, as a share of the median.',
    parts.map(([name, value]) => `${name}: ${value}`).join(' · '),
    '### Goals',
    goalTable(report.goals),
    '### All figures',
    figureTable(report),
    '### Contenders',
    contenderTable(report),
  ].join('\n\n');
}

function goalTable(goals: readonly GoalResult[]): string {
  const rows = goals.map(({ title, goal, measured, isMet }) => [
    title,
    goal,
    measured === undefined
      ? 'not measured'
      : `${short(measured.value)} ${percent(measured.spread)}`.trim(),
    isMet === undefined ? '' : isMet ? 'met' : '**not met**',
  ]);
  return table(['', 'goal', 'measured', ''], rows);
}

function figureTable(report: Report): string {
  const rows = WORKLOAD_NAMES.flatMap((workload) =>
    report.contenders
      .filter(({ name }) => figures(report.results, name, workload, 'perSecond').length > 0)
      .map((contender, index) => [
        index === 0 ? WORKLOADS[workload].title : '',
        contender.title,
        ...figureCells(report, contender, workload),
      ]),
  );
  const head = ['', '', 'requests/s', '±', 'Animal Store is', 'p50 ms', 'p99 ms', 'CPU µs/request'];
  return table(head, rows, 2);
}

function figureCells(report: Report, contender: Contender, workload: WorkloadName): string[] {
  const of = (figure: keyof Sample) => figures(report.results, contender.name, workload, figure);
  const times = timesAsFast(report, contender, workload);
  return [
    Math.round(median(of('perSecond'))).toLocaleString('en-US'),
    percent(spread(of('perSecond'))),
    times === undefined ? '' : `${short(times)} ×`,
    short(median(of('p50Us')) / 1000),
    short(median(of('p99Us')) / 1000),
    short(median(of('cpuUsPerRequest'))),
  ];
}

function contenderTable({ contenders, results }: Report): string {
  const rows = contenders.map(({ name, title, setup }) => {
    const memory = results.get(name)?.peakMemoryMb ?? [];
    return [title, setup, memory.length === 0 ? '' : `${Math.round(median(memory))}`];
  });
  return table(['', 'keys, limits, store', 'peak memory, MB'], rows, 2);
}

function table(head: string[], rows: string[][], textColumns = head.length): string {
  const rule = head.map((_, index) => (index < textColumns ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Three digits say as much as such measurements know. */
function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `±${Math.round(100 * share)} %`;
}
