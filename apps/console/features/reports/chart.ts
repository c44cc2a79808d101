import * as Plot from '@observablehq/plot';

/** Draws charts; a separate chunk since the library is large. */

interface Bar {
  /** Wall clock as if it were UTC. */
  x: Date;
  y: number;
}

export interface Curve {
  name: string;
  points: readonly { x: Date; y: number }[];
}

export interface ChartOptions {
  width: number;
  language: string;
  interval?: 'day' | 'hour';
}

/** The style element that the library adds would need a looser content security policy; `reports.css` has its rules. */
function withoutStyle(chart: Element): Element {
  for (const style of chart.querySelectorAll('style')) style.remove();
  chart.setAttribute('aria-hidden', 'true');
  return chart;
}

const HEIGHT = 240;
const numbers = (language: string) => {
  const format = new Intl.NumberFormat(language, { notation: 'compact' });
  return (value: number) => (Number.isInteger(value) ? format.format(value) : '');
};

function timeAxis({ language, interval = 'day', width }: ChartOptions) {
  const shown = interval === 'day' ? ({ day: 'numeric', month: 'short' } as const) : ({ hour: 'numeric' } as const);
  const format = new Intl.DateTimeFormat(language, { ...shown, timeZone: 'UTC' });
  return {
    type: 'utc' as const,
    label: null,
    ticks: Math.max(2, Math.floor(width / 110)),
    tickFormat: (date: Date) => format.format(date),
  };
}

/** An axis that begins at zero. Without its end, a chart of nothing but zeros would be full. */
const upFromZero = (points: readonly { y: number }[]) =>
  points.every(({ y }) => y === 0) ? { domain: [0, 1] } : { zero: true };

/** Bars of hours or days. */
const drawBars = (bars: readonly Bar[], options: ChartOptions): Element =>
  withoutStyle(
    Plot.plot({
      width: options.width,
      height: HEIGHT,
      className: 'chart',
      x: timeAxis(options),
      y: { ...upFromZero(bars), label: null, grid: true, ticks: 4, tickFormat: numbers(options.language) },
      marks: [
        Plot.rectY(bars, { x: 'x', y: 'y', interval: options.interval ?? 'day', fill: 'var(--accent)' }),
        Plot.ruleY([0]),
      ],
    }),
  );

/** Colours and dashes of curves, as in the legend of `reports.css`. */
const STROKES = ['--accent', '--info', '--good', '--warn', '--info', '--accent', '--warn', '--good'].map(
  (color, index) => ({ stroke: `var(${color})`, ...(index % 2 === 1 && { strokeDasharray: '6 4' }) }),
);

/** Sales of events by the number of days before them; each curve ends with its number. */
const drawDaysBefore = (
  curves: readonly { points: readonly { x: number; y: number }[] }[],
  { width, language }: ChartOptions,
): Element =>
  withoutStyle(
    Plot.plot({
      width,
      height: HEIGHT,
      className: 'chart',
      marginRight: 24,
      x: {
        label: null,
        ticks: Math.max(2, Math.floor(width / 110)),
        tickFormat: (days: number) => (Number.isInteger(days) ? new Intl.NumberFormat(language).format(-days) : ''),
      },
      y: {
        ...upFromZero(curves.flatMap(({ points }) => points)),
        label: null,
        grid: true,
        ticks: 4,
        tickFormat: numbers(language),
      },
      marks: [
        Plot.ruleY([0]),
        ...curves.flatMap(({ points }, index) => [
          Plot.lineY(points, { x: 'x', y: 'y', strokeWidth: 2, ...STROKES[index] }),
          Plot.text(points.slice(-1), {
            x: 'x',
            y: 'y',
            text: () => String(index + 1),
            dx: 8,
            textAnchor: 'start',
            fill: 'currentColor',
          }),
        ]),
      ],
    }),
  );

/** Running totals of one event, or of two. */
const drawCurves = (curves: readonly Curve[], options: ChartOptions): Element =>
  withoutStyle(
    Plot.plot({
      width: options.width,
      height: HEIGHT,
      className: 'chart',
      x: timeAxis(options),
      y: {
        ...upFromZero(curves.flatMap(({ points }) => points)),
        label: null,
        grid: true,
        ticks: 4,
        tickFormat: numbers(options.language),
      },
      marks: [
        Plot.ruleY([0]),
        ...curves.map(({ points }, index) =>
          Plot.lineY(points, {
            x: 'x',
            y: 'y',
            strokeWidth: 2,
            ...STROKES[index],
          }),
        ),
      ],
    }),
  );

/** Bars of tickets or events; two may have the same name. */
const drawNames = (bars: readonly { name: string; y: number }[], { width, language }: ChartOptions): Element =>
  withoutStyle(
    Plot.plot({
      width,
      className: 'chart',
      marginLeft: Math.min(260, width / 2.4),
      y: {
        label: null,
        domain: bars.map((_, place) => place),
        tickFormat: (place: number) => shorten(bars[place]?.name ?? '', width < 500 ? 18 : 34),
      },
      x: { ...upFromZero(bars), label: null, grid: true, ticks: 4, tickFormat: numbers(language) },
      marks: [Plot.barX(bars, { x: 'y', y: (_, place: number) => place, fill: 'var(--accent)' }), Plot.ruleX([0])],
    }),
  );

const shorten = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

/** Functions that draw each kind of chart. */
export const charts = { bars: drawBars, curves: drawCurves, daysBefore: drawDaysBefore, names: drawNames };
export type Charts = typeof charts;
