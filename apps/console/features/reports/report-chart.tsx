import { useEffect, useRef, useState } from 'react';
import { dateLocale } from '../../i18n/texts.ts';
import type { ChartOptions, Charts, Curve } from './chart.ts';
import type { Figures } from './figures.ts';
import { t } from './routes.ts';

/** Bars that fit on a screen. */
const MOST_NAMES = 15;

const asDate = (start: string): Date => new Date(`${start.replace(' ', 'T')}Z`);
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

interface ReportChartProps {
  figures: Figures;
  interval: 'day' | 'hour' | undefined;
  name: string;
  other: { figures: Figures; name: string } | undefined;
}

/** The charts of a report; the table has the same figures. */
export function ReportChart({ figures, interval, name, other }: ReportChartProps) {
  const { lines, main } = figures;
  const bars = (options: ChartOptions, draw: Charts) =>
    interval
      ? draw.bars(
          lines.map(({ start = '', cells }) => ({ x: asDate(start), y: numberOf(cells[main]) })),
          options,
        )
      : draw.names(
          lines.slice(0, MOST_NAMES).map((line) => ({ name: line.name, y: numberOf(line.cells[main]) })),
          options,
        );
  const curves: Curve[] = [{ name, figures }, ...(other ? [other] : [])].map((one) => ({
    name: one.name,
    points: one.figures.lines.map(({ start = '', cells }) => ({ x: asDate(start), y: numberOf(cells.running) })),
  }));
  return (
    <div className="charts">
      <Chart caption={t(`chart.${main}`)} interval={interval} draw={bars} />
      {interval && (
        <Chart
          caption={t('chart.running')}
          interval={interval}
          draw={(options, draw) => draw.curves(curves, options)}
          legend={other ? curves.map((curve) => curve.name) : []}
        />
      )}
    </div>
  );
}

interface ChartProps {
  caption: string;
  interval: 'day' | 'hour' | undefined;
  draw: (options: ChartOptions, charts: Charts) => Element;
  legend?: readonly string[];
}

/** A chart, with the names of its curves. */
export function Chart({ caption, interval, draw, legend = [] }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  useEffect(() => {
    let isLeft = false;
    void import('./chart.ts').then(({ charts }) => {
      if (isLeft || width === 0) return;
      place.current?.replaceChildren(draw({ width, language: dateLocale, ...(interval && { interval }) }, charts));
    });
    return () => {
      isLeft = true;
    };
  });
  return (
    <figure className="chart-figure">
      <figcaption>{caption}</figcaption>
      {legend.length > 0 && (
        <ul className="legend">
          {legend.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may have one name
            <li key={index}>
              <span className={`curve curve-${index + 1}`} />
              <span className="clamped">{name}</span>
            </li>
          ))}
        </ul>
      )}
      <div ref={place} className="chart-place" />
    </figure>
  );
}

/** The width of an element, as it changes. */
function useWidth(place: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
