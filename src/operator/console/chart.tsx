import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { formatCompact } from './format.ts';
import type { Tone } from './marks.tsx';

export interface Series {
  readonly label: string;
  readonly colour: Tone;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
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
const AXIS_FONT = '11px system-ui, sans-serif';

/** The canvas needs colours without variables, in the scheme that is in use now. */
function resolveColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Each series on top of those before it. */
function stack(series: readonly Series[]): (number | null)[][] {
  let below: readonly (number | null)[] = [];
  return series.map(({ values }) => {
    const sums = values.map((value, index) => (value ?? 0) + (below[index] ?? 0));
    below = sums;
    return sums;
  });
}

/** Only points without a neighbour need a mark: a line has none there. */
function lonelyPoints(chart: uPlot, index: number): number[] {
  const values = chart.data[index] ?? [];
  const isMissing = (at: number) => (values[at] ?? null) === null;
  return Array.from(values.keys()).filter(
    (at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1),
  );
}

export function Chart(props: ChartProps) {
  const { title, summary, times, series, kind, unit = '', format = formatCompact, empty } = props;
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
    // The top of a stack is drawn first, and what is below it over it.
    const drawn = kind === 'lines' ? series : [...series].reverse();
    const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.12 });
    const axis: uPlot.Axis = {
      font: AXIS_FONT,
      stroke: () => resolveColour('quiet'),
      grid: { stroke: () => resolveColour('grid'), width: 1 },
      ticks: { show: false },
      gap: 6,
    };
    const created = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        padding: [8, 14, 0, 0],
        legend: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        cursor: {
          y: false,
          drag: { x: false, y: false },
          points: { show: kind !== 'bars', size: 6 },
        },
        scales: {
          x: {
            range: (_, from, to) => {
              const [first, last] = range.current ?? [from, to];
              return kind === 'bars' ? [first - 43_200, last + 43_200] : [first, last];
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
            values:
              kind === 'bars'
                ? [[86_400, '{D} {MMM}', ...NO_ROLLOVER]]
                : [[60, '{HH}:{mm}', ...NO_ROLLOVER]],
            ...(kind === 'bars' && { incrs: [86_400, 2 * 86_400, 5 * 86_400, 10 * 86_400] }),
          },
          {
            ...axis,
            size: 44,
            space: 36,
            values: (_, splits) => splits.map((value) => format(value)),
          },
        ],
        series: [
          {},
          ...drawn.map(({ label, colour }) => ({
            label,
            stroke: () => resolveColour(`chart-${colour}`),
            width: 1.5,
            points: {
              show: kind === 'lines',
              size: 4,
              filter: (self: uPlot, index: number) => lonelyPoints(self, index),
            },
            ...(kind === 'areas' && { fill: () => resolveColour(`chart-${colour}-area`) }),
            ...(kind === 'bars' && {
              width: 0,
              fill: () => resolveColour(`chart-${colour}`),
              ...(bars && { paths: bars }),
            }),
          })),
        ],
        hooks: {
          setCursor: [(self) => setHovered(self.cursor.idx ?? undefined)],
        },
      },
      data,
      element,
    );
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
  }, [kind]);

  useEffect(() => chart.current?.setData(data), [data]);

  const shown = hovered !== undefined && hovered < times.length ? hovered : times.length - 1;
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="legend" aria-hidden="true">
          {hovered !== undefined && <span class="figures at">{timeAt(times[shown], kind)}</span>}
          {series.map(({ label, colour, values }) => (
            <span key={label}>
              <i class={`swatch ${colour}`} /> {label}{' '}
              <b class="figures">{valueAt(values[shown], format)}</b>
            </span>
          ))}
          {unit !== '' && <span>{unit}</span>}
        </span>
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={`${title}. ${summary}`} />
      {isEmpty && <p class="chart-empty">{empty}</p>}
    </figure>
  );
}

/** uPlot takes further forms for a new year, day or minute. One form is enough here. */
const NO_ROLLOVER = [null, null, null, null, null, null, 1] as const;

function valueAt(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}

function timeAt(seconds: number | undefined, kind: ChartProps['kind']): string {
  if (seconds === undefined) return '';
  const text = new Date(seconds * 1000).toISOString();
  return kind === 'bars' ? text.slice(0, 10) : text.slice(11, 19);
}
