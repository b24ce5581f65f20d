import { useMemo } from 'preact/hooks';
import type { DayOfUse } from './api.ts';
import { Chart, type Series } from './chart.tsx';
import { plural } from './format.ts';

/** Requests of each day by outcome. */
export function DayChart({ days }: { days: readonly DayOfUse[] }) {
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
  const total = days.reduce(
    (sum, { served, refused, clientErrors, serverErrors }) =>
      sum + served + refused + clientErrors + serverErrors,
    0,
  );
  return (
    <div class="panel">
      <Chart
        title="Requests a day"
        summary={`${plural(total, 'request')} in ${days.length} days.`}
        kind="bars"
        empty="No requests in 30 days"
        times={times}
        series={series}
      />
    </div>
  );
}

/** Unix seconds of a day such as 2026-11-16. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}
