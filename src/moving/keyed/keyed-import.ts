import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { discardImages } from '../../platform/media/image-storage.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import type { Draft, Finding } from '../drafts.ts';
import { begin, type Continuing, countGone, findImport, type Import, saveFindings } from '../links.ts';
import { type Action, type Counts, countAction, type Plan, planDraft } from '../plan.ts';
import { writePage } from '../write-page.ts';
import { fetchKeyedImage, isStored, type KeyedImage, storeKeyedImage } from './keyed-images.ts';
import type { KeyedRecord, KeyedWriting } from './keyed-record.ts';
import { findKey, findSame } from './keys.ts';
import { draftOf, writeKeyed } from './write-keyed.ts';

/** Imports of files and calendars. Each batch of records is one transaction; repeating an import continues it. */

/** A problem with its line, 0 for the file as a whole. */
export type LineFinding = Finding & { line: number };

/** @param details fields that change or stay; for a record that cannot be imported, the reason */
type OnKeyedPlan = (record: KeyedRecord, action: Action, details: readonly string[], why?: Finding) => void;

export interface KeyedImportOptions extends Continuing {
  /** Names the source in links. */
  source: string;
  ctx: InProcessContext;
  records: AsyncIterable<KeyedRecord> | Iterable<KeyedRecord>;
  /** Problems of lines without a record, read when the records are finished. */
  lineFindings(): readonly LineFinding[];
  isDryRun?: boolean;
  /** Whether the source replaces what was changed here. */
  isTheirs?: boolean;
  findSame?: KeyedWriting['findSame'];
  prepare?: KeyedWriting['prepare'];
  onPlan?: OnKeyedPlan;
  onBatch?: (records: number, counts: Counts) => Promise<void> | void;
}

export interface KeyedImportResult {
  /** 0 for a plan. */
  id: number;
  counts: Counts;
  findings: LineFinding[];
  /** Events and series that earlier imports brought, and that the source no longer has; none for files. */
  gone: ReadonlyMap<string, number>;
}

/** Records of a transaction. */
const BATCH = 20;
/** Maximum findings in a report: a file may have millions. */
const MAX_FINDINGS = 5000;

/** Imports the records of a source, or plans their import. */
export async function importKeyed(options: KeyedImportOptions): Promise<KeyedImportResult> {
  const { source, ctx, records, isDryRun = false } = options;
  const { db } = ctx.context;
  const known = options.importId === undefined ? undefined : await findImport(db, options.importId);
  const row = isDryRun
    ? undefined
    : (known ?? (await begin(db, { source, started_utc: toUtc(ctx.now), step: 0 }, options)));
  const id = row?.id ?? 0;
  // Counts are written by `writeBatch`.
  const run: Run = { options, id, row, counts: JSON.parse(row?.counts ?? '{}'), findings: [], planned: new Set() };
  // The page of the position is the number of the next batch.
  const begun = row?.page ?? 1;
  let done = 0;
  let number = 0;
  for await (const batch of batches(records)) {
    number += 1;
    done += batch.length;
    if (number < begun) continue;
    if (isDryRun) for (const record of batch) await planRecord(record, run);
    else await writeBatch(batch, run);
    await options.onBatch?.(done, run.counts);
  }
  const { counts } = run;
  const findings = [...options.lineFindings(), ...run.findings].slice(0, MAX_FINDINGS);
  if (isDryRun) return { id, counts, findings, gone: new Map() };
  await db.transaction(async (trx) => {
    for (const { line, ...finding } of options.lineFindings().slice(0, MAX_FINDINGS))
      await saveFindings(trx, { import_id: id, kind: 'line', foreign_id: line }, [finding]);
    const finished = { finished_utc: toUtc(ctx.now), counts: JSON.stringify(counts) };
    await trx.query.updateTable('imports').set(finished).where('id', '=', id).execute();
  });
  return { id, counts, findings, gone: await goneOf(db, { id, source }) };
}

/** A file says nothing about events that it does not contain. */
async function goneOf(db: Database, run: { id: number; source: string }): Promise<Map<string, number>> {
  if (!/^https?:/.test(run.source)) return new Map();
  // Venues, organizers and terms are looked up only when they are new.
  return new Map([...(await countGone(db, run))].filter(([kind]) => kind === 'event' || kind === 'series'));
}

interface Run {
  options: KeyedImportOptions;
  id: number;
  /** Position of an import; none for a plan. */
  row: Import | undefined;
  counts: Counts;
  findings: LineFinding[];
  /** Related records of a plan. */
  planned: Set<string>;
}

async function* batches(records: KeyedImportOptions['records']): AsyncGenerator<KeyedRecord[]> {
  let batch: KeyedRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function noteIn(findings: LineFinding[], { line }: KeyedRecord, noted: readonly Finding[]): void {
  const left = Math.max(0, MAX_FINDINGS - findings.length);
  findings.push(...noted.slice(0, left).map((one) => ({ ...one, line })));
}

/** Maximum number of names of related records that a plan stores, so that each is planned once. */
const MAX_PLANNED = 100_000;

async function planRecord(told: KeyedRecord, run: Run): Promise<void> {
  const { options, planned } = run;
  const { db } = options.ctx.context;
  const record = (await options.prepare?.(db, told)) ?? told;
  for (const related of record.related ?? []) {
    const name = `${related.kind} ${related.key}`;
    if (planned.has(name) || planned.size >= MAX_PLANNED) continue;
    planned.add(name);
    const { plan } = await planOf(db, related, options);
    if (plan.action === 'create' && (await findSame(db, related)) === undefined) reportPlan(related, plan, run);
  }
  const { plan } = await planOf(db, record, options);
  const isKnown = plan.action === 'create' && (await isHere(db, record, options));
  if (isKnown) reportPlan(record, SAME, run);
  else reportPlan(record, plan, run);
  noteIn(run.findings, record, record.findings);
}

const SAME: Pick<Plan, 'action'> = { action: 'same' };

/** Whether this site already has the record, which then stays unchanged. */
async function isHere(db: Database, record: KeyedRecord, { findSame: findOther, isTheirs }: KeyedImportOptions) {
  if (isTheirs) return false;
  return ((await findSame(db, record)) ?? (await findOther?.(db, record))) !== undefined;
}

function reportPlan(record: KeyedRecord, plan: Plan | typeof SAME, { options, counts, findings }: Run): void {
  countAction(counts, plan.action, record.kind);
  const why = 'why' in plan ? plan.why : undefined;
  if (why) noteIn(findings, record, [why]);
  options.onPlan?.(record, plan.action, detailsOf(plan), why);
}

function detailsOf(plan: Plan | typeof SAME): readonly string[] {
  if (!('kept' in plan)) return [];
  return plan.action === 'conflict' ? plan.kept : plan.fields;
}

/** The plan of a record. One without an id has not been imported. */
async function planOf(
  db: Database,
  record: KeyedRecord,
  options: KeyedImportOptions,
): Promise<{ plan: Plan; draft: Draft }> {
  const { source, isTheirs = false } = options;
  const series = record.kind === 'event' ? await findKey(db, source, 'series', record.key) : undefined;
  const key = await findKey(db, source, record.kind, record.key);
  const draft = await draftOf(db, record, key ?? UNKNOWN, source);
  const shown: Draft = series
    ? { ...draft, kind: 'series', id: series.id, fields: { ...draft.fields, recurrence: record.recurrence } }
    : draft;
  return { plan: await planDraft(db, shown, { source, isTheirs }), draft };
}

const UNKNOWN = { id: 0, sequence: 0 };

async function writeBatch(batch: readonly KeyedRecord[], run: Run): Promise<void> {
  const { options, row } = run;
  const { source, ctx, isTheirs = false } = options;
  if (!row) throw new Error('a plan writes nothing');
  const lost: LineFinding[] = [];
  const images = await fetchImages(batch, options, lost);
  const next = { step: row.step, page: row.page + 1, pass: row.pass };
  const page = {
    ...{ ctx, run: row, next, counts: run.counts, images, store: storeKeyedImage },
    isStored: (trx: Database, { url }: KeyedImage) => isStored(trx, source, url),
  };
  const after = await writePage(page, async (trx, common, counts) => {
    const findings: LineFinding[] = [...lost];
    const writing: KeyedWriting = {
      ...{ ...common, isTheirs },
      ...(options.findSame && { findSame: options.findSame }),
      ...(options.prepare && { prepare: options.prepare }),
      count: (outcome, kind) => countAction(counts, outcome, kind),
      note: async (record, noted) => noteIn(findings, record, noted),
    };
    for (const record of batch) await writeKeyed(trx, record, writing);
    for (const { line, ...finding } of findings.slice(0, MAX_FINDINGS - run.findings.length))
      await saveFindings(trx, { import_id: row.id, kind: 'line', foreign_id: line }, [finding]);
    return findings;
  });
  run.counts = after.counts;
  run.row = { ...row, ...next };
  if (run.findings.length < MAX_FINDINGS) run.findings.push(...after.result);
}

/** Fetches images of records that are to be written. */
async function fetchImages(
  batch: readonly KeyedRecord[],
  options: KeyedImportOptions,
  lost: LineFinding[],
): Promise<KeyedImage[]> {
  const { db } = options.ctx.context;
  const fetched = new Map<string, KeyedImage>();
  try {
    for (const record of batch.flatMap((one) => [one, ...(one.related ?? [])])) {
      const { image: url } = record;
      if (url === undefined || fetched.has(url) || (await isStored(db, options.source, url))) continue;
      const { plan } = await planOf(db, record, options);
      if (plan.action !== 'create' && plan.action !== 'change') continue;
      const image = await fetchKeyedImage(url, options.ctx);
      if (image) fetched.set(url, image);
      else lost.push({ code: 'image-lost', detail: url.slice(0, 200), line: record.line });
    }
  } catch (error) {
    await discardImages(
      [...fetched.values()].map(({ prepared }) => prepared),
      error,
    );
    throw error;
  }
  return [...fetched.values()];
}
