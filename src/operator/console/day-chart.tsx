import { useMemo } from 'preact/hooks';
import type { DayOfUse } from './api.ts';
import { Chart, type Series } from './chart.tsx';
import { plural } from './format.ts';

interface DayChartProps {
  /** The start of each day, in Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** The operation, if the requests are only those for one. */
  readonly operation?: string;
}

/** A bar for each day. */
export function DayChart({ times, series, operation }: DayChartProps) {
  const total = series
    .flatMap(({ values }) => values)
    .reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const to = operation === undefined ? '' : ` to ${operation}`;
  return (
    <div class="panel">
      <Chart
        title="Requests a day"
        summary={`${plural(total, 'request')}${to} in ${times.length} days.`}
        kind="bars"
        empty={`No requests${to} in ${times.length} days`}
        times={times}
        series={series}
      />
    </div>
  );
}

/** Requests of each day by outcome. */
export function OutcomeChart({ days }: { days: readonly DayOfUse[] }) {
  const series = useMemo(
    (): Series[] => [
      { label: 'served', colour: 'good', values: days.map(({ served }) => served) },
      { label: 'refused', colour: 'warning', values: days.map(({ refused }) => refused) },
      {
        label: 'client errors',
        colour: 'neutral',
        values: days.map(({ clientErrors }) => clientErrors),
      },
      {
        label: 'server errors',
        colour: 'bad',
        values: days.map(({ serverErrors }) => serverErrors),
      },
    ],
    [days],
  );
  const times = useMemo(() => days.map(({ day }) => startOf(day)), [days]);
  return <DayChart times={times} series={series} />;
}

/** Unix seconds of a day such as 2026-11-16. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
