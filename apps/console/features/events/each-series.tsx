import { useQuery } from '@tanstack/react-query';
import type { Event, Series } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { Switch } from '../../ui/fields.tsx';
import { t } from './routes.ts';

/** Maximum number of series whose numbers of events are shown. */
const MOST = 100;

/** Whether there are series. */
export function useHasSeries(): boolean {
  const { data } = useQuery(read('GET /events/v1/series', { per_page: 1 }));
  return (data?.total ?? 0) > 0;
}

/** Finds the series whose next event one is; none unless `isOn`. */
export function useNextOf(isOn: boolean): (event: Event) => Series | undefined {
  const { data } = useQuery(read('GET /events/v1/series', { per_page: MOST }, { isOn }));
  const next = new Map(data?.series.flatMap((series) => (series.next ? [[series.next.id, series] as const] : [])));
  return ({ id }) => (isOn ? next.get(id) : undefined);
}

interface EachSeriesOnceProps {
  value: 'series' | undefined;
  onChange: (each: 'series' | undefined) => void;
}

/** Chooses whether each series is listed by one of its events only. */
export const EachSeriesOnce = ({ value, onChange }: EachSeriesOnceProps) => (
  <Switch isSelected={value === 'series'} onChange={(isOn) => onChange(isOn ? 'series' : undefined)}>
    {t('series.once')}
  </Switch>
);
