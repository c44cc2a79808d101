import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { type Draft, draftHash, fieldHashes } from '../drafts.ts';
import { findLink, saveLink } from '../links.ts';
import { findRevision, planDraft } from '../plan.ts';
import { writeRecord } from '../write-record.ts';
import type { KeyedRecord, KeyedWriting } from './keyed-record.ts';
import { findKey, findOccurrence, findSame, type Key, keyOf, saveSequence } from './keys.ts';
import { beginImportedSeries, changeImportedSeries } from './write-series.ts';

/** Writes records of a file, after the records that they name. */

const REFERENCES = { venue: 'venue', organizer: 'organizer', categories: 'category', tags: 'tag' } as const;

/** Writes a record in the transaction of its batch. */
export async function writeKeyed(db: Database, told: KeyedRecord, writing: KeyedWriting): Promise<void> {
  const record = (await writing.prepare?.(db, told, writing)) ?? told;
  for (const related of record.related ?? []) await writeRelated(db, related, writing);
  const { source } = writing;
  const key = await keyOf(db, source, record.kind, record.key);
  const draft = await draftOf(db, record, key, source);
  if (await isOutdated(db, record, key, source)) {
    await writing.note(record, [{ code: 'older-version', detail: String(record.sequence) }]);
    return writing.count('same', record.kind);
  }
  const series = record.kind === 'event' ? await findKey(db, source, 'series', record.key) : undefined;
  const isSeries = series && (await findLink(db, source, 'series', series.id));
  if (isSeries) return changeImportedSeries(db, { record, draft, seriesKey: series.id }, writing);
  await matchExisting(db, record, draft, writing);
  const plan = await planDraft(db, draft, writing);
  const { id, findings } = await writeRecord(db, draft, plan, { ...writing, keepsIds: false });
  await writing.note(record, [...record.findings, ...findings]);
  if (id !== null && record.sequence !== undefined) await saveSequence(db, key, record.sequence);
  if (id !== null && record.recurrence) await beginImportedSeries(db, { record, draft, eventId: id }, writing);
  writing.count(id === null ? 'cannot' : plan.action, record.kind);
}

/** Whether a newer version of the same calendar entry was imported. */
async function isOutdated(db: Database, { kind, sequence }: KeyedRecord, key: Key, source: string): Promise<boolean> {
  if (sequence === undefined || sequence >= key.sequence) return false;
  return (await findLink(db, source, kind, key.id)) !== undefined;
}

/** A record that others name is created once, and changed only by an import of its own. */
async function writeRelated(db: Database, record: KeyedRecord, writing: KeyedWriting): Promise<void> {
  const key = await keyOf(db, writing.source, record.kind, record.key);
  const link = await findLink(db, writing.source, record.kind, key.id);
  if (link?.record_id) return;
  await writeKeyed(db, record, writing);
}

/** The draft of a record: its names become ids of links. */
export async function draftOf(db: Database, record: KeyedRecord, { id }: Key, source: string): Promise<Draft> {
  const fields: Record<string, unknown> = { ...record.fields };
  for (const [field, kind] of Object.entries(REFERENCES)) {
    const names = record.fields[field];
    if (!Array.isArray(names)) continue;
    fields[field] = await Promise.all(
      names.map(async (name) => (await findKey(db, source, kind, scalarText(name) ?? ''))?.id ?? 0),
    );
  }
  const image = record.image === undefined ? undefined : await findKey(db, source, 'media', record.image);
  const { kind, at, findings, cannot } = record;
  if (image) fields.image = record.image;
  return {
    ...{ kind, id, fields, at, findings, ...(cannot && { cannot }) },
    ...(image && { image: { id: image.id, url: '' } }),
  };
}

/**
 * Links a record to one that this site has already: the date of a series, or a record with the same name. The second
 * counts as imported, so that its own values stay.
 */
async function matchExisting(db: Database, record: KeyedRecord, draft: Draft, writing: KeyedWriting): Promise<void> {
  const { source, isTheirs } = writing;
  const link = await findLink(db, source, draft.kind, draft.id);
  if (link?.record_id || record.cannot) return;
  const date = await findDate(db, record, source);
  const same = date ?? (await findSame(db, record)) ?? (await writing.findSame?.(db, record));
  if (same === undefined) return;
  const isKept = date === undefined && !isTheirs;
  const revision = (await findRevision(db, draft.kind, same)) ?? null;
  writing.changes.push({ kind: draft.kind, record_id: same, foreign_id: draft.id, action: 'linked', revision });
  await saveLink(db, {
    ...{ source, kind: draft.kind, foreign_id: draft.id, record_id: same },
    ...{ hash: isKept ? draftHash(draft) : '', fields: JSON.stringify(isKept ? fieldHashes(draft) : {}) },
    revision,
    ...{ import_id: writing.importId, seen_utc: toUtc(writing.ctx.now) },
  });
  const isNamed = draft.kind !== 'event' && draft.kind !== 'attendee';
  if (isKept && !isNamed) await writing.note(record, [{ code: 'matched', detail: String(same) }]);
}

async function findDate(db: Database, { within }: KeyedRecord, source: string): Promise<number | undefined> {
  const key = within && (await findKey(db, source, 'series', within.key));
  const link = key && (await findLink(db, source, 'series', key.id));
  return link?.record_id ? findOccurrence(db, link.record_id, within?.day ?? '') : undefined;
}
