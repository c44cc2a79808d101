import { type RawBuilder, sql } from 'kysely';
import { type Condition, isSingle, type ListConditions, listedColumn } from './filter.ts';

/** The result of a search: a table of candidates and conditions on `e`. */
export interface SearchedEvents {
  /** All events if absent. It has the columns that filters use. */
  table?: RawBuilder<unknown>;
  conditions: readonly Condition[];
}

export const ALL_EVENTS: SearchedEvents = { conditions: [] };

/** The parts of a query for a list. */
export interface Selection {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  id: RawBuilder<number>;
  start: RawBuilder<string>;
  series: RawBuilder<number | null>;
  /** Whether an event may occur several times, once for each linked target. */
  repeats: boolean;
}

/** The events of a list that match a search. */
export function selectFrom(
  { driver, listed, own }: ListConditions,
  { table, conditions }: SearchedEvents = ALL_EVENTS,
): Selection {
  const column = listedColumn(driver);
  const onEvent = [...own, ...conditions];
  const events = sql`${table ?? sql`events`} AS e`;
  const links = sql`event_links AS l`;
  const needsEvent = onEvent.length > 0 || table !== undefined;
  const joined = needsEvent ? sql`${links} JOIN ${events} ON e.id = l.event_id` : links;
  const driving = driver ? [sql`l.kind = ${driver.kind}`, driver.allows(sql`l.target_id`)] : [];
  return {
    from: driver ? joined : events,
    where: sql.join([...driving, ...listed, ...onEvent], sql` AND `),
    id: column('id'),
    start: column('utc_start_date'),
    series: column('series_id'),
    repeats: driver !== undefined && !isSingle(driver),
  };
}
