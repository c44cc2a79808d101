import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { updateUnlessEdited } from '../../../db/guarded-update.ts';
import type { EventsTable } from '../../../db/tables/calendar.ts';
import type { OccurrencesTable, SeriesTable } from '../../../db/tables/series.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { type Day, MAX_OCCURRENCES } from '../../../lib/recurrence/recurrence.ts';
import { slugify, uniqueSlug } from '../../../lib/text/slug.ts';
import type { Template } from './template.ts';

type Row = Selectable<SeriesTable>;

/** A series whose lists and template are parsed. */
export interface Series extends Omit<Row, 'template' | 'rdates' | 'exdates'> {
  template: Template;
  rdates: readonly Day[];
  exdates: readonly Day[];
}

/** Kind and key of the job that works on a series. */
export const SERIES_JOB = 'series.update';

/** Columns that a write sets. */
export type SeriesValues = Omit<Series, 'id' | 'revision' | 'made_until' | 'pending' | 'may_remove_sold'> &
  Partial<Pick<Series, 'may_remove_sold'>>;

const read = (row: Row): Series => ({
  ...row,
  template: readTemplate(row),
  rdates: JSON.parse(row.rdates) as Day[],
  exdates: JSON.parse(row.exdates) as Day[],
});

/** The template as `rowOf` wrote it, with the current author of the series, who may have taken over its events. */
function readTemplate({ template, author_id }: Row): Template {
  const { values, ...others } = JSON.parse(template) as Template;
  return { ...others, values: { ...values, author_id } };
}

const rowOf = <T extends Partial<SeriesValues>>({ template, rdates, exdates, ...values }: T) => ({
  ...values,
  ...(template && { template: JSON.stringify(template), author_id: template.values.author_id }),
  ...(rdates && { rdates: JSON.stringify(rdates) }),
  ...(exdates && { exdates: JSON.stringify(exdates) }),
});

/** Serialises the changes of a series; taken before the locks of its events. */
export const lockSeries = (db: Database, id: number): Promise<void> => db.dialect.lock(db, `series-${id}`);

export async function findSeries({ query }: Database, id: number): Promise<Series | undefined> {
  const row = await query.selectFrom('series').selectAll().where('id', '=', id).executeTakeFirst();
  return row && read(row);
}

export async function findSeriesBySlug({ query }: Database, slug: string): Promise<Series | undefined> {
  const row = await query.selectFrom('series').selectAll().where('slug', '=', slug).executeTakeFirst();
  return row && read(row);
}

/** The series of listed events. */
export async function findSeriesOf(
  { query }: Database,
  eventIds: readonly number[],
): Promise<{ event: number; series: Series }[]> {
  const rows = await query
    .selectFrom('series')
    .innerJoin('events', 'events.series_id', 'series.id')
    .selectAll('series')
    .select('events.id as event')
    .where('events.id', 'in', [...eventIds])
    .where('events.status', '=', sql.lit('publish'))
    .where('events.hide_from_listings', '=', 0)
    .execute();
  return rows.map(({ event, ...row }) => ({ event, series: read(row) }));
}

/** A page of the series outside the trash that meet a condition, the latest first, and the number of all. */
export async function listSeries(
  { query }: Database,
  condition: RawBuilder<SqlBool>,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<{ total: number; series: Series[] }> {
  const found = query.selectFrom('series').where('status', '=', sql.lit('publish')).where(condition);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('id', 'desc').limit(perPage).offset(offset).execute();
  return { total: Number(total), series: rows.map(read) };
}

/** A free slug for a series. */
export const seriesSlug = ({ query }: Database, title: string, id: number): Promise<string> =>
  uniqueSlug(slugify(title) || `series-${id}`, async (candidate) => {
    const row = await query.selectFrom('series').select('id').where('slug', '=', candidate).executeTakeFirst();
    return row !== undefined;
  });

export async function insertSeries(db: Database, id: number, values: SeriesValues): Promise<void> {
  await db.query
    .insertInto('series')
    // All columns of the table.
    .values({ id, ...(rowOf(values) as Omit<Row, 'id' | 'revision' | 'made_until' | 'pending'>) })
    .execute();
}

export const updateSeries = (db: Database, before: Series, values: Partial<SeriesValues>): Promise<void> =>
  updateUnlessEdited(db, 'series', before, rowOf(values));

/** Records the progress of the background work, which is not an edit. */
export async function noteProgress(
  { query }: Database,
  { id, pending, made_until }: Pick<Series, 'id' | 'pending' | 'made_until'>,
): Promise<void> {
  await query.updateTable('series').set({ pending, made_until }).where('id', '=', id).execute();
}

/** An event of a series. */
export interface Occurrence extends Omit<Selectable<OccurrencesTable>, 'own_fields'> {
  own_fields: readonly string[];
}

const readOccurrence = (row: Selectable<OccurrencesTable>): Occurrence => ({
  ...row,
  own_fields: JSON.parse(row.own_fields) as string[],
});

export async function findOccurrence({ query }: Database, eventId: number): Promise<Occurrence | undefined> {
  const row = await query.selectFrom('occurrences').selectAll().where('event_id', '=', eventId).executeTakeFirst();
  return row && readOccurrence(row);
}

export async function insertOccurrence({ query }: Database, row: Omit<OccurrencesTable, 'own_fields'>): Promise<void> {
  await query.insertInto('occurrences').values(row).execute();
}

export async function updateOccurrence(
  { query }: Database,
  eventId: number,
  { own_fields, ...values }: Partial<Omit<Occurrence, 'event_id'>>,
): Promise<void> {
  await query
    .updateTable('occurrences')
    .set({ ...values, ...(own_fields && { own_fields: JSON.stringify(own_fields) }) })
    .where('event_id', '=', eventId)
    .execute();
}

export async function removeOccurrence({ query }: Database, eventId: number): Promise<void> {
  await query.deleteFrom('occurrences').where('event_id', '=', eventId).execute();
}

/** Makes an occurrence a single event. */
export async function detach(db: Database, eventId: number): Promise<void> {
  await removeOccurrence(db, eventId);
  await db.query.updateTable('events').set({ series_id: null }).where('id', '=', eventId).execute();
}

/**
 * Days in order. If there are more than a request may send, the earliest past ones are left out: nothing is made on
 * these.
 */
export function limited(days: readonly Day[], now: Date): Day[] {
  const [today] = toUtc(now).split(' ');
  const tooMany = days.length - MAX_OCCURRENCES;
  return days.toSorted().filter((day, index) => index >= tooMany || day >= (today ?? ''));
}

/**
 * Keeps the event of a day that its series no longer has: as a further day of the series, or as a single event if the
 * series is in the trash or deleted.
 */
export async function keepDay(
  db: Database,
  id: number,
  { event_id, recurrence_id: day }: Pick<Occurrence, 'event_id' | 'recurrence_id'>,
  now: Date,
): Promise<void> {
  const series = await findSeries(db, id);
  if (!series) return detach(db, event_id);
  if (series.status === 'trash') {
    await updateSeries(db, series, { exdates: limited([...new Set([...series.exdates, day])], now) });
    return detach(db, event_id);
  }
  const rdates = limited([...new Set([...series.rdates, day])], now);
  await updateSeries(db, series, { rdates, exdates: series.exdates.filter((one) => one !== day) });
}

/** An occurrence with the state of its event. */
export type OccurrenceState = Pick<Occurrence, 'event_id' | 'recurrence_id' | 'version'> &
  Pick<Selectable<EventsTable>, 'status' | 'utc_start_date'>;

/** Occurrences of a series by day, including occurrences in the trash. */
export const findOccurrences = ({ query }: Database, seriesId: number): Promise<OccurrenceState[]> =>
  query
    .selectFrom('occurrences')
    .innerJoin('events', 'events.id', 'occurrences.event_id')
    .select(['event_id', 'recurrence_id', 'version', 'events.status', 'events.utc_start_date'])
    .where('occurrences.series_id', '=', seriesId)
    .orderBy('recurrence_id')
    .execute();

/** Moves the occurrences from a day on to another series. */
export async function moveOccurrences(
  { query }: Database,
  { from, to, since }: { from: number; to: number; since: Day },
): Promise<void> {
  const moved = query
    .selectFrom('occurrences')
    .select('event_id')
    .where('series_id', '=', from)
    .where('recurrence_id', '>=', since);
  await query.updateTable('events').set({ series_id: to }).where('id', 'in', moved).execute();
  await query
    .updateTable('occurrences')
    .set({ series_id: to })
    .where('series_id', '=', from)
    .where('recurrence_id', '>=', since)
    .execute();
}

/** Slug of the listed event of a day, also in the series that continue a series. */
export async function findSlugOfDay(db: Database, { id }: Pick<Series, 'id'>, day: Day): Promise<string | undefined> {
  // Without duplicates, so that the search ends.
  const { rows } = await sql<{ slug: string }>`
    WITH RECURSIVE parts AS (
      SELECT id FROM series WHERE id = ${id}
      UNION SELECT s.id FROM series AS s JOIN parts AS p ON s.follows_series_id = p.id)
    SELECT e.slug FROM parts AS p
      JOIN occurrences AS o ON o.series_id = p.id AND o.recurrence_id = ${day}
      JOIN events AS e ON e.id = o.event_id
    WHERE e.status = 'publish' AND e.hide_from_listings = 0
    ORDER BY p.id LIMIT 1`.execute(db.query);
  return rows[0]?.slug;
}

/** `made_until` of a series that has no further days. */
export const ENDED = '9999-12-31';

/**
 * Series whose occurrences end before a day that is due, oldest first. Those with a job are left out, also a dead one:
 * series that cannot be continued must not keep back all others.
 */
export async function findUnmade({ query }: Database, until: Day, limit: number): Promise<number[]> {
  const rows = await query
    .selectFrom('series')
    .select('id')
    .where('status', '=', sql.lit('publish'))
    .where('made_until', '<', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', SERIES_JOB)
            .whereRef('jobs.record_id', '=', 'series.id'),
        ),
      ),
    )
    .orderBy('made_until')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
