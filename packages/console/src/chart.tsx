import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { formatDate, formatMeasure, now } from './format.tsx';
import type { Tone } from './marks.tsx';
import { type Days, type OutcomeCounts, refusalsOf } from './service.ts';

interface Series {
  readonly label: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Stacked bars for days, or stacked areas or lines for the last hour. */
  readonly kind: 'areas' | 'bars' | 'lines';
  readonly unit?: string;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const FONT = '11px system-ui, sans-serif';
const LINE = 'var(--tone)';
const AREA = 'color-mix(in srgb, var(--tone) 26%, var(--surface))';

/** A canvas cannot use CSS variables, so the browser is asked for the color in the present scheme. */
function resolveColor(color: string, tone?: Tone): string {
  const probe = document.createElement('span');
  if (tone !== undefined) probe.className = `swatch ${tone}`;
  probe.style.color = color;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/**
 * The series in the order in which they are drawn. In a stack, the values of a series are added to those below it. The
 * top series is drawn first, and each lower one covers its part of it.
 */
function drawn({ kind, series }: ChartProps): readonly Series[] {
  if (kind === 'lines') return series;
  let below: readonly number[] = [];
  const stacked = series.map((one) => {
    below = one.values.map((value, index) => (value ?? 0) + (below[index] ?? 0));
    return { ...one, values: below };
  });
  return stacked.reverse();
}

/** The points without a neighbor. They need a mark, because no line leads to them. */
function lonelyPoints(chart: uPlot, index: number): number[] {
  const values = chart.data[index] ?? [];
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return Array.from(values.keys()).filter(
    (at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1),
  );
}

/** The settings of a chart, without its size and its values, which it gets later with `setSize` and `setData`. */
function optionsOf(props: ChartProps, onHover: (index: number | undefined) => void): uPlot.Options {
  const { kind } = props;
  const isBars = kind === 'bars';
  const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.12 });
  const axis: uPlot.Axis = {
    font: FONT,
    stroke: () => resolveColor('var(--quiet)'),
    grid: { stroke: () => resolveColor('var(--grid)'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  return {
    width: 0,
    height: 0,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !isBars, size: 6 } },
    scales: {
      x: {
        // Both are null before the first sample.
        range: (_, first, last) =>
          isBars
            ? [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2]
            : [(last ?? 0) - HOUR_SECONDS, last ?? 0],
      },
      y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        label: 'UTC',
        labelFont: FONT,
        labelSize: 14,
        size: 24,
        space: 64,
        values: (_, splits) => splits.map((seconds) => formatMoment(seconds, kind)),
        ...(isBars && { incrs: [1, 2, 5, 10].map((days) => days * DAY_SECONDS) }),
      },
      {
        ...axis,
        size: 44,
        space: 36,
        values: (_, splits) => splits.map(formatMeasure),
      },
    ],
    series: [
      {},
      ...drawn(props).map(({ tone }) => ({
        stroke: () => resolveColor(LINE, tone),
        width: isBars ? 0 : 1.5,
        points: { show: kind === 'lines', size: 4, filter: lonelyPoints },
        ...(kind !== 'lines' && { fill: () => resolveColor(isBars ? LINE : AREA, tone) }),
        ...(isBars && bars && { paths: bars }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? undefined)] },
  };
}

export function Chart(props: ChartProps) {
  const { title, times, series, kind, unit = '' } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const [hovered, setHovered] = useState<number>();

  useEffect(() => {
    const element = place.current as HTMLElement;
    const created = new uPlot(optionsOf(props, setHovered), [[]], element);
    chart.current = created;
    // It is also called at first, before the browser draws the page.
    const resized = new ResizeObserver(() =>
      created.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      created.destroy();
    };
  }, []);

  // Pages render every second, so after a change of the color scheme this draws the chart again.
  useEffect(
    () => chart.current?.setData([[...times], ...drawn(props).map(({ values }) => [...values])]),
    [times, series],
  );

  const shown = hovered ?? -1;
  const latest = series.map(({ label, values }) => `${label} ${formatMeasure(values.at(-1))}`);
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        <span class="legend" aria-hidden="true">
          {hovered !== undefined && (
            <span class="figures">{formatMoment(times.at(shown), kind)}</span>
          )}
          {series.map(({ label, tone, values }) => (
            <span key={label}>
              <i class={`swatch ${tone}`} /> {label}{' '}
              <b class="figures">{formatMeasure(values.at(shown))}</b>
            </span>
          ))}
          <span>{unit}</span>
        </span>
      </figcaption>
      <div
        class="plot"
        ref={place}
        role="img"
        aria-label={`${title}, now: ${latest.join(', ')} ${unit}`}
      />
    </figure>
  );
}

/** For example 16 Nov, 14:05 or 14:05:10. */
function formatMoment(seconds = 0, kind: ChartProps['kind']): string {
  const text = new Date(seconds * 1000).toISOString();
  return kind === 'bars' ? formatDate(text).slice(0, -5) : text.slice(11, 19).replace(/:00$/, '');
}

/** Bars with a value for each of the last days (UTC), today included. */
export function DayChart({ series }: { series: readonly Series[] }) {
  const days = series[0]?.values ?? [];
  const today = Math.floor(now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
  const times = days.map((_, index) => today - (days.length - 1 - index) * DAY_SECONDS);
  return <Chart title="Requests a day" kind="bars" times={times} series={series} />;
}

/** Requests of each day by outcome. */
export function OutcomeChart({ days }: { days: Days }) {
  const of = (label: string, tone: Tone, count: (day: OutcomeCounts) => number) => ({
    label,
    tone,
    values: days.map(count),
  });
  return (
    <DayChart
      series={[
        of('served', 'good', ({ served }) => served),
        of('refused', 'warning', refusalsOf),
        of('client errors', 'neutral', ({ clientErrors }) => clientErrors),
        of('server errors', 'bad', ({ serverErrors }) => serverErrors),
      ]}
    />
  );
}
