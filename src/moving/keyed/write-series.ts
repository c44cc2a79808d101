import { makeStep } from '../../calendar/events/series/make-occurrences.ts';
import { type Database, inSavepoint } from '../../db/database.ts';
import { callByName } from '../../demo/create.ts';
import { addSeconds, secondsBetween, toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { findState, formerOf } from '../changes.ts';
import { type Draft, draftHash, type Finding, fieldHashes } from '../drafts.ts';
import { findLink, type Link, saveLink } from '../links.ts';
import { findRevision, type Plan, planDraft } from '../plan.ts';
import { refusalSentence, writeRecord } from '../write-record.ts';
import type { KeyedRecord, KeyedWriting } from './keyed-record.ts';
import { keyOf, saveSequence } from './keys.ts';

/** Series of files: the first event is imported like any other, and the series is made from it. */

interface Written {
  record: KeyedRecord;
  /** Draft of its first event. */
  draft: Draft;
}

const seriesDraft = ({ record, draft }: Written, id: number): Draft => ({
  ...draft,
  ...{ kind: 'series', id, fields: { ...draft.fields, recurrence: record.recurrence } },
});

/** Makes an imported event the first of a series. If the server refuses, it stays a single event. */
export async function beginImportedSeries(
  db: Database,
  { eventId, ...written }: Written & { eventId: number },
  writing: KeyedWriting,
): Promise<void> {
  const { record } = written;
  const ctx = { ...writing.ctx, context: { ...writing.ctx.context, db } };
  const made = await attempt(db, () =>
    callByName(['series', 'create'], { event_id: eventId, recurrence: record.recurrence }, ctx),
  );
  if (typeof made === 'string') return writing.note(record, [{ code: 'series-refused', detail: made }]);
  const id = Number(scalarText(made.id));
  await makeAll(db, id, writing);
  const key = await keyOf(db, writing.source, 'series', record.key);
  await saveSeriesLink(db, { draft: seriesDraft(written, key.id), id }, writing);
  const revision = (await findRevision(db, 'series', id)) ?? null;
  writing.changes.push({ kind: 'series', record_id: id, foreign_id: key.id, action: 'created', revision });
}

/** Makes the events that are missing, so that changes of single dates find them. */
async function makeAll(db: Database, id: number, { ctx }: KeyedWriting): Promise<void> {
  const maker = { context: { ...ctx.context, db }, now: ctx.now, ...(ctx.actor && { actor: ctx.actor }) };
  for (let left = 1; left > 0; ) left = await makeStep(db, id, { maker, tickets: eventTickets });
}

async function saveSeriesLink(
  db: Database,
  { draft, id, fields }: { draft: Draft; id: number; fields?: Readonly<Record<string, unknown>> },
  { source, importId, ctx }: KeyedWriting,
): Promise<void> {
  await saveLink(db, {
    ...{ source, kind: 'series', foreign_id: draft.id, record_id: id },
    ...{ hash: fields ? '' : draftHash(draft), fields: JSON.stringify(fields ?? fieldHashes(draft)) },
    revision: (await findRevision(db, 'series', id)) ?? null,
    ...{ import_id: importId, seen_utc: toUtc(ctx.now) },
  });
}

/** The response, or a sentence about a refusal. */
async function attempt<T>(db: Database, work: () => Promise<T>): Promise<T | string> {
  try {
    return await inSavepoint(db, work);
  } catch (error) {
    const refusal = refusalSentence(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Changes the coming events of an imported series, and its dates. */
export async function changeImportedSeries(
  db: Database,
  { seriesKey, ...written }: Written & { seriesKey: number },
  writing: KeyedWriting,
): Promise<void> {
  const { record } = written;
  const draft = seriesDraft(written, seriesKey);
  const plan = await planDraft(db, draft, writing);
  const findings: Finding[] = [...record.findings];
  if (!('link' in plan)) {
    if (plan.action === 'cannot') findings.push(plan.why);
    await writing.note(record, findings);
    return writing.count('cannot', 'series');
  }
  const { link } = plan;
  const id = Number(link.record_id);
  const kept = 'kept' in plan ? plan.kept : [];
  if (kept.length > 0) findings.push({ code: 'changed-here', detail: kept.join(', ') });
  const before = await findState(db, 'series', id);
  const failed = plan.action === 'change' ? await change(db, { plan, draft, written, id, findings }, writing) : [];
  const undone = [...kept, ...failed];
  if ((await findRevision(db, 'series', id)) !== undefined)
    await saveSeriesLink(
      db,
      { draft, id, ...(undone.length > 0 && { fields: hashesWith(draft, link, undone) }) },
      writing,
    );
  if (plan.action === 'change' && before) {
    const { recurrence } = formerOf(before, await findState(db, 'series', id)).values ?? {};
    const revision = (await findRevision(db, 'series', id)) ?? null;
    const former = { link, ...(recurrence !== undefined && { values: { recurrence } }) };
    writing.changes.push({ kind: 'series', record_id: id, foreign_id: draft.id, action: 'changed', revision, former });
  }
  await touchEvent(db, written.draft, writing);
  const key = await keyOf(db, writing.source, 'event', record.key);
  if (record.sequence !== undefined && failed.length === 0) await saveSequence(db, key, record.sequence);
  await writing.note(record, findings);
  writing.count(plan.action, 'series');
}

/** Hashes of a draft. Fields that were not written keep the earlier ones, so that they are compared again. */
function hashesWith(draft: Draft, { fields }: Link, undone: readonly string[]): Record<string, unknown> {
  // Written by `saveSeriesLink`.
  const before = JSON.parse(fields) as Record<string, unknown>;
  const after: Record<string, unknown> = { ...fieldHashes(draft) };
  for (const field of undone) after[field] = before[field];
  return after;
}

interface SeriesChange {
  plan: Plan & { fields: readonly string[]; link: Link };
  draft: Draft;
  written: Written;
  id: number;
  findings: Finding[];
}

/** Returns the fields that the server refuses. */
async function change(db: Database, series: SeriesChange, writing: KeyedWriting): Promise<string[]> {
  const { plan, draft, id, findings } = series;
  const failed = plan.fields.includes('recurrence')
    ? await changeRule(db, { id, recurrence: draft.fields.recurrence, findings }, writing)
    : [];
  const others = plan.fields.filter((field) => field !== 'recurrence');
  if (others.length === 0) return failed;
  const next = await nextEvent(db, id, toUtc(writing.ctx.now));
  if (!next) {
    findings.push({ code: 'series-past', detail: others.join(', ') });
    return failed;
  }
  const noted = await changeEvents(db, series, { next, fields: [...others, 'scope'], writing });
  await makeAll(db, id, writing);
  findings.push(...noted);
  return noted.some(({ code }) => code === 'refused') ? [...failed, ...others] : failed;
}

/** Changes the rule of a series, and makes its dates. Returns `recurrence` if the server refuses it. */
async function changeRule(
  db: Database,
  { id, recurrence, findings }: Pick<SeriesChange, 'id' | 'findings'> & { recurrence: unknown },
  writing: KeyedWriting,
): Promise<string[]> {
  const ctx = { ...writing.ctx, context: { ...writing.ctx.context, db } };
  // Without a recurrence, the source now has a single event, and no longer lists the other dates.
  const written = recurrence
    ? await attempt(db, () => callByName(['series', 'update'], { id, recurrence }, ctx))
    : 'The source no longer has a rule.';
  if (typeof written === 'string') {
    findings.push({ code: 'refused', detail: written });
    return ['recurrence'];
  }
  await makeAll(db, id, writing);
  return [];
}

/** Changes fields of all coming events through the next one. */
async function changeEvents(
  db: Database,
  { plan, written }: SeriesChange,
  { next, fields, writing }: { next: { id: number; start_date: string }; fields: string[]; writing: KeyedWriting },
): Promise<readonly Finding[]> {
  const moved = onDayOf(next.start_date.slice(0, 10), written.draft.fields);
  const one: Draft = { ...written.draft, fields: { ...written.draft.fields, ...moved, scope: 'all' } };
  const known = await findLink(db, writing.source, 'event', one.id);
  const link = { ...plan.link, record_id: next.id };
  const changing: Plan = { ...plan, action: 'change', link, kept: [], isTouched: false, fields };
  const { findings } = await writeRecord(db, one, changing, { ...writing, keepsIds: false });
  // Restores the record of the link of the first event.
  if (known) {
    const { foreign_start: _start, ...firstLink } = known;
    await saveLink(db, { ...firstLink, import_id: writing.importId });
  }
  return findings;
}

/** Times of a series on the day of one of its events. */
function onDayOf(day: string, { start_date, end_date, timezone, all_day }: Draft['fields']): Record<string, unknown> {
  const localOf = (time: unknown): string => {
    const text = scalarText(time) ?? '';
    return text.endsWith('Z') ? utcToLocal(text.slice(0, 19).replace('T', ' '), scalarText(timezone) ?? '') : text;
  };
  const [start, end] = [localOf(start_date), localOf(end_date)];
  const first = all_day === true ? `${day} 00:00:00` : `${day} ${start.slice(11)}`;
  return { start_date: first, end_date: addSeconds(first, secondsBetween(start, end)) };
}

/** Marks the link of the first event as seen. */
async function touchEvent(db: Database, draft: Draft, { source, importId, ctx }: KeyedWriting): Promise<void> {
  await db.query
    .updateTable('import_links')
    .set({ import_id: importId, seen_utc: toUtc(ctx.now) })
    .where('source', '=', source)
    .where('kind', '=', 'event')
    .where('foreign_id', '=', draft.id)
    .execute();
}

const nextEvent = (db: Database, series: number, now: string) =>
  db.query
    .selectFrom('events')
    .select(['id', 'start_date'])
    .where('series_id', '=', series)
    .where('status', '<>', 'trash')
    .where('utc_end_date', '>', now)
    .orderBy('utc_start_date')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
