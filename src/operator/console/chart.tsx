import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { now } from './clock.tsx';
import { formatCompact, formatDate, plural } from './format.ts';
import type { Tone } from './marks.tsx';

export interface Series {
  readonly label: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  /** Says in one sentence what the chart shows now, for a screen reader. */
  readonly summary: string;
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Stacked areas, stacked bars for days, or lines. */
  readonly kind: 'areas' | 'bars' | 'lines';
  readonly unit?: string;
  readonly format?: (value: number) => string;
  /** The ends of the time axis. Default: the first and the last time. */
  readonly range?: readonly [number, number];
  /** Shown in place of a chart of zeros. */
  readonly empty: string;
}

const HEIGHT = 168;
const DAY_SECONDS = 86_400;
const LINE = 'var(--chart-tone)';
const AREA = 'color-mix(in srgb, var(--chart-tone) 26%, var(--surface))';

/** The canvas needs colors without variables, in the scheme that is in use now. */
function resolveColor(color: string, tone?: Tone): string {
  const probe = document.createElement('span');
  if (tone !== undefined) probe.className = tone;
  probe.style.color = color;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** Each series on top of those before it. */
function stack(series: readonly Series[]): number[][] {
  let below: readonly number[] = [];
  return series.map(({ values }) => {
    const sums = values.map((value, index) => (value ?? 0) + (below[index] ?? 0));
    below = sums;
    return sums;
  });
}

/** Only points without a neighbor need a mark: a line has none there. */
function lonelyPoints(chart: uPlot, index: number): number[] {
  const values = chart.data[index] ?? [];
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return Array.from(values.keys()).filter(
    (at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1),
  );
}

/** The settings of a chart. Its values come later, with `setData`. */
function optionsOf(
  { kind, series, format = formatCompact }: ChartProps,
  range: () => ChartProps['range'],
  onHover: (index: number | undefined) => void,
): Omit<uPlot.Options, 'width'> {
  const isBars = kind === 'bars';
  const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.12 });
  const axis: uPlot.Axis = {
    font: '11px system-ui, sans-serif',
    stroke: () => resolveColor('var(--quiet)'),
    grid: { stroke: () => resolveColor('var(--grid)'), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
  // The top of a stack is drawn first, and what is below it over it.
  const drawn = kind === 'lines' ? series : series.toReversed();
  return {
    height: HEIGHT,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { show: !isBars, size: 6 } },
    scales: {
      x: {
        range: (_, from, to) => {
          const [first, last] = range() ?? [from, to];
          return isBars ? [first - DAY_SECONDS / 2, last + DAY_SECONDS / 2] : [first, last];
        },
      },
      y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 64,
        values: (_, splits) => splits.map((seconds) => timeOnAxis(seconds, isBars)),
        ...(isBars && { incrs: [1, 2, 5, 10].map((days) => days * DAY_SECONDS) }),
      },
      { ...axis, size: 44, space: 36, values: (_, splits) => splits.map((value) => format(value)) },
    ],
    series: [
      {},
      ...drawn.map(({ label, tone }) => ({
        label,
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
  const { title, summary, times, series, kind, unit, format = formatCompact, empty } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const [hovered, setHovered] = useState<number>();
  const range = useRef(props.range);
  range.current = props.range;

  const data = useMemo<uPlot.AlignedData>(() => {
    const values =
      kind === 'lines' ? series.map(({ values }) => [...values]) : stack(series).reverse();
    return [[...times], ...values];
  }, [times, series, kind]);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const options = optionsOf(props, () => range.current, setHovered);
    const created = new uPlot({ ...options, width: element.clientWidth }, data, element);
    chart.current = created;
    const resized = new ResizeObserver(() =>
      created.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => created.redraw(false);
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      resized.disconnect();
      created.destroy();
    };
  }, [kind, series.length]);

  useEffect(() => chart.current?.setData(data), [data]);

  const shown = hovered !== undefined && hovered < times.length ? hovered : times.length - 1;
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  return (
    <figure class="chart">
      <figcaption>
        <b>{title}</b>
        <span class="legend" aria-hidden="true">
          {hovered !== undefined && <span class="figures">{timeAt(times[shown], kind)}</span>}
          {series.map(({ label, tone, values }) => (
            <span key={label}>
              <i class={`swatch ${tone}`} /> {label}{' '}
              <b class="figures">{valueAt(values[shown], format)}</b>
            </span>
          ))}
          {unit !== undefined && <span>{unit}</span>}
        </span>
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={`${title}. ${summary}`} />
      {isEmpty && <p class="chart-empty">{empty}</p>}
    </figure>
  );
}

function valueAt(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function timeAt(seconds: number | undefined, kind: ChartProps['kind']): string {
  if (seconds === undefined) return '';
  const text = new Date(seconds * 1000).toISOString();
  return kind === 'bars' ? text.slice(0, 10) : text.slice(11, 19);
}

/** As 16 Nov or 14:05. */
function timeOnAxis(seconds: number, isDay: boolean): string {
  const text = new Date(seconds * 1000).toISOString();
  return isDay ? formatDate(text).slice(0, -5) : text.slice(11, 16);
}

interface DayChartProps {
  /** A value for each of the last days (UTC), today included. */
  readonly series: readonly Series[];
  /** The operation, if the requests are only those for one. */
  readonly operation?: string;
}

/** A bar for each day. */
export function DayChart({ series, operation }: DayChartProps) {
  const times = useMemo(() => {
    const days = series[0]?.values ?? [];
    const today = Math.floor(now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
    return days.map((_, index) => today - (days.length - 1 - index) * DAY_SECONDS);
  }, [series]);
  const total = series
    .flatMap(({ values }) => values)
    .reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const to = operation === undefined ? '' : ` to ${operation}`;
  return (
    <Chart
      title="Requests a day"
      summary={`${plural(total, 'request')}${to} in ${times.length} days.`}
      kind="bars"
      empty={`No requests${to} in ${times.length} days`}
      times={times}
      series={series}
    />
  );
}
