import type { Database } from '../db/database.ts';
import { toUtc } from '../lib/dates/dates.ts';
import { discardImages } from '../platform/media/image-storage.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import type { Writing } from './draft-params.ts';
import type { Draft, Finding } from './drafts.ts';
import { type FetchedImage, fetchForeignImage, findUnstored, storeForeignImage, type WantedImage } from './images.ts';
import {
  begin,
  CHANGED_STEPS,
  type Continuing,
  countGone,
  FILE_STEPS,
  findImport,
  findLink,
  findUnfinished,
  type Import,
  type Position,
  saveFindings,
  withoutKeptAddresses,
} from './links.ts';
import { PageLinks } from './page-links.ts';
import { type Counts, countAction, type Plan, planDraft, readCounts } from './plan.ts';
import { type Source, SourceError } from './source.ts';
import { type Batch, MAX_PASSES, type Reading, STEPS, type Step } from './steps.ts';
import { imagesIn } from './texts.ts';
import { writePage } from './write-page.ts';
import { writeRecord } from './write-record.ts';

export interface ImportOptions extends Continuing {
  source: Source;
  /** Steps of a file; by default those of a running site. */
  steps?: readonly Step[];
  /** Steps of a pass over changed records alone, which finds no records that are gone and cannot be resumed. */
  changed?: readonly Step[];
  ctx: InProcessContext;
  /** Continues the last import of the source that did not finish. */
  isResumed?: boolean;
  /** Whether the source replaces what was changed here. */
  isTheirs?: boolean;
  withMedia?: boolean;
  /** Plans only; nothing is written. */
  isDryRun?: boolean;
  onPlan?: (draft: Draft, plan: Plan) => void;
  /** Called after the transaction of a page, with each record that it wrote. */
  onWritten?: (draft: Draft, plan: Plan) => void;
  /** Stops the import after the page in progress. */
  signal?: AbortSignal;
  onPage?: (step: string, page: number, counts: Counts) => Promise<void> | void;
}

export interface ImportResult {
  /** 0 for a plan. */
  id: number;
  counts: Counts;
  /** Records that earlier imports brought, and that the source no longer has. They stay. */
  gone: ReadonlyMap<string, number>;
  /** Whether the signal stopped the import, which may be resumed. */
  isStopped: boolean;
}

/**
 * Imports a site, page by page. A page and the position after it are one transaction.
 * @throws {SourceError} if the source does not respond; completed pages stay, and the import may be resumed
 */
export async function importSite(options: ImportOptions): Promise<ImportResult> {
  const { steps = options.changed ?? STEPS, ctx, isDryRun = false, signal } = options;
  const { db } = ctx.context;
  const base = firstStep(options);
  let run = isDryRun ? { ...PLANNED, step: base } : await startImport(db, options);
  const counts = readCounts(run.counts);
  const planned = new Set<string>();
  const reading = readingOf(options, run, planned);
  let seen = new Set<number>();
  while (run.step < base + steps.length && !signal?.aborted) {
    const step = steps[run.step - base];
    if (!step) break;
    const batch = await step.read(run.page, reading);
    for (const id of batch.listed ?? batch.drafts.map((draft) => draft.id)) seen.add(id);
    const isShort = step.isCounted === true && batch.isLast && run.page > 1 && seen.size < batch.total;
    const next = nextPosition(run, { isLast: batch.isLast, isShort });
    if (isDryRun) await planBatch(batch, { counts, planned, options });
    else await writeBatch(batch, { run, next, counts, options });
    await options.onPage?.(step.name, run.page, counts);
    if (next.page === 1) seen = new Set();
    run = { ...run, ...next };
  }
  const isStopped = run.step < base + steps.length;
  if (isDryRun || isStopped) return { id: run.id, counts, gone: new Map(), isStopped };
  await db.query
    .updateTable('imports')
    .set({ finished_utc: toUtc(ctx.now) })
    .where('id', '=', run.id)
    .execute();
  const gone = options.changed ? new Map<string, number>() : await countGone(db, run);
  return { id: run.id, counts, gone, isStopped };
}

/** Position of a plan, which is not stored. */
const PLANNED: Import = {
  ...{ id: 0, source: '', started_utc: '', finished_utc: null, undone_utc: null },
  ...{ step: 0, page: 1, pass: 1, counts: '{}' },
};

function firstStep({ steps, changed }: ImportOptions): number {
  if (steps) return FILE_STEPS;
  return changed ? CHANGED_STEPS : 0;
}

async function startImport(db: Database, options: ImportOptions): Promise<Import> {
  const { source, ctx, isResumed } = options;
  const step = firstStep(options);
  const known = options.importId === undefined ? undefined : await findImport(db, options.importId);
  if (known) return known;
  if (!isResumed) return begin(db, { source: source.address, started_utc: toUtc(ctx.now), step }, options);
  const unfinished = await findUnfinished(db, source.address);
  if (!unfinished) throw new SourceError('There is no unfinished import of this address. Leave out --resume.');
  if (unfinished.step >= CHANGED_STEPS && unfinished.step < FILE_STEPS)
    throw new SourceError('The unfinished import reads only what had changed. Leave out --resume.');
  if (unfinished.step >= FILE_STEPS !== step >= FILE_STEPS)
    throw new SourceError('The unfinished import reads another source: a site or a file. Leave out --resume.');
  return unfinished;
}

const readingOf = (
  { source, ctx, withMedia = false, isDryRun }: ImportOptions,
  { id }: Import,
  planned: ReadonlySet<string>,
): Reading => ({
  source,
  withMedia,
  isSeen: async (kind, foreignId) => {
    if (isDryRun) return planned.has(`${kind} ${foreignId}`);
    return (await findLink(ctx.context.db, source.address, kind, foreignId))?.import_id === id;
  },
});

function nextPosition(
  { step, page, pass }: Import,
  { isLast, isShort }: { isLast: boolean; isShort: boolean },
): Position {
  if (!isLast) return { step, page: page + 1, pass };
  return isShort && pass < MAX_PASSES ? { step, page: 1, pass: pass + 1 } : { step: step + 1, page: 1, pass: 1 };
}

interface Planning {
  counts: Counts;
  planned: Set<string>;
  options: ImportOptions;
}

async function planBatch({ drafts }: Batch, { counts, planned, options }: Planning): Promise<void> {
  const { source, ctx, isTheirs = false, onPlan } = options;
  for (const draft of drafts.flatMap((one) => [...(one.related ?? []), one])) {
    const key = `${draft.kind} ${draft.id}`;
    if (planned.has(key)) continue;
    planned.add(key);
    const plan = await planDraft(ctx.context.db, draft, { source: source.address, isTheirs });
    countAction(counts, plan.action, draft.kind);
    onPlan?.(draft, plan);
  }
}

interface BatchWriting {
  run: Import;
  next: Position;
  counts: Counts;
  options: ImportOptions;
}

async function writeBatch(batch: Batch, { run, next, counts, options }: BatchWriting): Promise<void> {
  const { source, ctx, isTheirs = false } = options;
  const wanted = await wantedImages(ctx.context.db, batch, { source: source.address, isTheirs });
  const { fetched, lost } = await fetchImages(wanted, options);
  const page = {
    ...{ ctx, run, next, counts, images: fetched, store: storeForeignImage },
    isStored: async (trx: Database, image: FetchedImage) =>
      (await findUnstored(trx, source.address, [image.wanted])).length === 0,
  };
  const after = await writePage(page, async (trx, writing, mine) => {
    const written: [Draft, Plan][] = [];
    const links = await PageLinks.load(trx, source.address, batch.drafts);
    const noted = await withoutKeptAddresses(trx, source.address, [...(batch.findings ?? []), ...lost]);
    await saveFindings(trx, { import_id: run.id, kind: '', foreign_id: 0 }, noted);
    for (const draft of batch.drafts)
      await writeDraft(trx, draft, { writing: { ...writing, links }, counts: mine, isTheirs, written });
    return written;
  });
  Object.assign(counts, after.counts);
  for (const [draft, plan] of after.result) options.onWritten?.(draft, plan);
}

interface DraftWriting {
  writing: Writing & { links: PageLinks };
  counts: Counts;
  isTheirs: boolean;
  written: [Draft, Plan][];
}

/** Writes a record, after those that it refers to and that have not been imported. */
async function writeDraft(db: Database, draft: Draft, drafting: DraftWriting): Promise<void> {
  const { writing, counts, isTheirs, written } = drafting;
  const { source, importId, links } = writing;
  for (const related of draft.related ?? [])
    if (related.id !== 0 && !(await links.find(db, related.kind, related.id))) await writeDraft(db, related, drafting);
  if (draft.id === 0) {
    await saveFindings(db, { import_id: importId, kind: draft.kind, foreign_id: 0 }, findingsOf(draft));
    return countAction(counts, 'cannot', draft.kind);
  }
  const before = await links.find(db, draft.kind, draft.id);
  const plan = await planDraft(db, draft, { source, isTheirs, links });
  const { id, findings } = await writeRecord(db, draft, plan, writing);
  await saveFindings(db, { import_id: importId, kind: draft.kind, foreign_id: draft.id }, [
    ...draft.findings,
    ...findings,
  ]);
  if (plan.action !== 'same') written.push([draft, plan]);
  // A list may contain a record twice.
  if (before?.import_id === importId && plan.action !== 'change') return;
  countAction(counts, id === null ? 'cannot' : plan.action, draft.kind);
}

const findingsOf = ({ cannot, findings }: Draft): Finding[] => [...findings, ...(cannot ? [cannot] : [])];

/** Images that the records to be written use, and that are not stored yet. */
async function wantedImages(
  db: Database,
  { drafts, images = [] }: Batch,
  planning: { source: string; isTheirs: boolean },
): Promise<WantedImage[]> {
  const wanted = [...images];
  const links = await PageLinks.load(db, planning.source, drafts);
  for (const draft of drafts.flatMap((one) => [one, ...(one.related ?? [])])) {
    const { action } = await planDraft(db, draft, { ...planning, links });
    if (action !== 'create' && action !== 'change') continue;
    if (draft.image) wanted.push(draft.image);
    const { description } = draft.fields;
    const embedded = typeof description === 'string' ? imagesIn(description, planning.source) : [];
    wanted.push(...embedded.map((url) => ({ id: 0, url })));
  }
  return findUnstored(db, planning.source, wanted);
}

async function fetchImages(wanted: readonly WantedImage[], { source, ctx }: ImportOptions) {
  const fetched: FetchedImage[] = [];
  const lost: Finding[] = [];
  try {
    for (const image of wanted) {
      const found = await fetchForeignImage(image, { source, ctx });
      if (found) fetched.push(found);
      else lost.push({ code: 'image-lost', detail: `${image.id === 0 ? '' : `${image.id} `}${image.url}` });
    }
  } catch (error) {
    await discardImages(
      fetched.map(({ prepared }) => prepared),
      error,
    );
    throw error;
  }
  return { fetched, lost };
}
