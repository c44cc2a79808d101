import type { Selectable } from 'kysely';
import { type Database, inSavepoint } from '../../db/database.ts';
import type { ImportChangesTable, ImportsTable } from '../../db/tables/import.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { removeImageFiles } from '../../platform/media/image-storage.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import type { Former } from '../changes.ts';
import type { Finding } from '../drafts.ts';
import { findImport, type LinkKind, saveLink } from '../links.ts';
import { findRevision, IMPORT_REQUEST } from '../plan.ts';
import { findSold, findTitle, type NamedRecord } from './local-use.ts';
import { Kept, removeCreated, type Target, type Undoing } from './remove.ts';
import { restoreChanged } from './restore.ts';

/** Undoes an import: removes the records that it created, and restores the values that it changed. */

export type UndoRefusal = 'import-not-found' | 'import-later' | 'import-subscribed' | 'import-sold' | 'import-empty';

/** Thrown when an import cannot be undone; nothing was changed. The message is one sentence for people. */
export class UndoRefused extends Error {
  readonly code: UndoRefusal;
  /** Records that were sold or checked in here, at most 300. */
  readonly records: readonly NamedRecord[];
  constructor(code: UndoRefusal, message: string, records: readonly NamedRecord[] = []) {
    super(message);
    this.code = code;
    this.records = records;
  }
}

/** `kept`: it stays as it is, because it is used or was changed here. */
type UndoOutcome = 'removed' | 'restored' | 'kept';

interface UndoneRecord extends Omit<NamedRecord, 'reason'> {
  outcome: UndoOutcome;
  /** Why it stays, or which values could not be restored. */
  reason?: Finding;
}

export interface UndoOptions {
  /** Decides what would happen, and writes nothing. */
  isDryRun?: boolean;
  /** Undoes the rest even if tickets were sold or checked in here. */
  exceptSold?: boolean;
  /** Records of a plan, and those that stay. */
  onRecord?: (record: UndoneRecord) => void;
}

export interface UndoResult {
  /** outcome -> kind -> number of records, also of earlier attempts that were interrupted. */
  counts: Record<string, Record<string, number>>;
  /** Records that stay, and those without some of their former values: at most 1,000. */
  notes: UndoneRecord[];
}

/** Ordered so that records come after the records that refer to them. */
const KINDS: readonly LinkKind[] = [
  ...(['order', 'attendee', 'ticket', 'series', 'event'] as const),
  ...(['venue', 'organizer', 'tag', 'category', 'media', 'account'] as const),
];

/** Number of records in a transaction. */
const PAGE = 25;
const MAX_NOTES = 1000;

type Change = Selectable<ImportChangesTable>;
type Import = Selectable<ImportsTable>;

/**
 * Undoes an import, page by page, each in one transaction. After an interruption, repeating the call continues. Records
 * that were changed here since, or that others use, stay and are named. A second call tries them again.
 * @throws {UndoRefused} before anything is changed: if tickets were sold or attendees checked in here, unless
 * `exceptSold`; if a later import of the same source is not undone; if a subscription would bring everything back
 */
export async function undoImport(ctx: InProcessContext, id: number, options: UndoOptions = {}): Promise<UndoResult> {
  const { isDryRun = false, exceptSold = false, onRecord } = options;
  const { db } = ctx.context;
  const one = await findImport(db, id);
  if (!one) throw new UndoRefused('import-not-found', `There is no import ${id}.`);
  await refuseUnsuitable(db, one);
  const sold = exceptSold ? [] : await findSold(db, id, ctx.now);
  if (sold.length > 0) throw new UndoRefused('import-sold', SOLD, sold);
  const run: Run = { one, ctx, isDryRun, planned: new Set(), counts: {}, notes: [], onRecord };
  if (!isDryRun) await beginUndo(db, one, ctx.now);
  for (const kind of KINDS) {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await findPage(db, { id, kind, before });
      const last = page.at(-1);
      if (!last) break;
      await undoPage(page, run);
      before = last.id;
    }
  }
  if (isDryRun) return { counts: run.counts, notes: run.notes };
  const undone_utc = toUtc(ctx.context.now());
  await db.query.updateTable('imports').set({ undone_utc }).where('id', '=', id).execute();
  return { counts: await countUndone(db, id), notes: run.notes };
}

const SOLD =
  'Tickets of this import were sold or checked in here, so it cannot be undone as a whole. Nothing was changed.';

async function refuseUnsuitable(db: Database, { id, source }: Import): Promise<void> {
  const changes = db.query.selectFrom('import_changes').select('id').where('import_id', '=', id).limit(1);
  if (!(await changes.executeTakeFirst()))
    throw new UndoRefused('import-empty', `Import ${id} changed nothing, so there is nothing to undo.`);
  await refuseLater(db, { id, source });
  const subscription = await db.query
    .selectFrom('subscriptions')
    .select('id')
    .where('address', '=', source)
    .executeTakeFirst();
  if (subscription)
    throw new UndoRefused(
      'import-subscribed',
      `Subscription ${subscription.id} would import this calendar again. End it first.`,
    );
}

/** Later imports of a source build on earlier ones. */
async function refuseLater(db: Database, { id, source }: Pick<Import, 'id' | 'source'>): Promise<void> {
  const later = await db.query
    .selectFrom('imports')
    .select('id')
    .where('source', '=', source)
    .where('id', '>', id)
    .where('undone_utc', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('import_changes')
          .select('import_changes.id')
          .whereRef('import_id', '=', 'imports.id')
          .where('outcome', '=', ''),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (later)
    throw new UndoRefused('import-later', `Import ${later.id} of the same source is later. Undo that one first.`);
}

/** Marks an interrupted import as finished, so that it cannot be resumed. */
const beginUndo = (db: Database, { id }: Import, now: Date) =>
  db.query
    .updateTable('imports')
    .set((eb) => ({ finished_utc: eb.fn.coalesce('finished_utc', eb.val(toUtc(now))) }))
    .where('id', '=', id)
    .execute();

const findPage = (db: Database, { id, kind, before }: { id: number; kind: LinkKind; before: number }) =>
  db.query
    .selectFrom('import_changes')
    .selectAll()
    .where('import_id', '=', id)
    .where('kind', '=', kind)
    .where('id', '<', before)
    .where('outcome', 'in', ['', 'kept'])
    .orderBy('id', 'desc')
    .limit(PAGE)
    .execute();

interface Run {
  one: Import;
  ctx: InProcessContext;
  isDryRun: boolean;
  planned: Set<string>;
  counts: UndoResult['counts'];
  notes: UndoneRecord[];
  onRecord: UndoOptions['onRecord'];
}

/** Result of undoing a change. */
interface Undone {
  change: Change;
  outcome: UndoOutcome;
  reason?: Finding;
  title: string;
}

async function undoPage(page: readonly Change[], run: Run): Promise<void> {
  const { ctx, one, isDryRun } = run;
  const { db } = ctx.context;
  const images: MediaTable[] = [];
  const undone = isDryRun
    ? await undoAll(page, db, { run, images })
    : await db.transaction(async (trx) => {
        images.length = 0;
        await trx.dialect.lock(trx, `import-${one.source}`);
        await refuseLater(trx, one);
        return undoAll(page, trx, { run, images });
      });
  for (const image of images) await removeImageFiles(ctx.context, image);
  for (const { change, outcome, reason, title } of undone) {
    if (change.action === 'linked') continue;
    if (isDryRun) countIn(run.counts, outcome, change.kind);
    const record = { kind: change.kind as LinkKind, id: change.record_id, title, outcome, ...(reason && { reason }) };
    if (reason && run.notes.length < MAX_NOTES) run.notes.push(record);
    if (reason || isDryRun) run.onRecord?.(record);
  }
}

function countIn(counts: UndoResult['counts'], outcome: string, kind: string): void {
  counts[outcome] ??= {};
  const kinds = counts[outcome];
  kinds[kind] = (kinds[kind] ?? 0) + 1;
}

async function undoAll(
  page: readonly Change[],
  db: Database,
  { run, images }: { run: Run; images: MediaTable[] },
): Promise<Undone[]> {
  const { ctx, one, isDryRun, planned } = run;
  const actor = ctx.actor && { ...ctx.actor, requestId: `${IMPORT_REQUEST}undo-${one.id}` };
  const within = { ...ctx, context: { ...ctx.context, db }, ...(actor && { actor }) };
  const undoing: Undoing = { db, ctx: within, importId: one.id, isDryRun, planned, images };
  const undone: Undone[] = [];
  for (const change of page) {
    const title = isDryRun ? await findTitle(db, change.kind as LinkKind, change.record_id) : '';
    const done = { title, ...(await undoChange(change, one, undoing)), change };
    if (done.reason && title === '') done.title = await findTitle(db, change.kind as LinkKind, change.record_id);
    undone.push(done);
    if (isDryRun && done.outcome === 'removed') planned.add(`${change.kind} ${change.record_id}`);
    if (isDryRun) continue;
    const reason = done.reason ? `${done.reason.code}: ${done.reason.detail}` : '';
    await db.query
      .updateTable('import_changes')
      .set({ outcome: done.outcome, reason })
      .where('id', '=', change.id)
      .execute();
  }
  return undone;
}

async function undoChange(
  change: Change,
  { source }: Import,
  undoing: Undoing,
): Promise<Pick<Undone, 'outcome' | 'reason'>> {
  const { db, isDryRun } = undoing;
  // Kinds are those of `saveChanges`, like the former values.
  const kind = change.kind as LinkKind;
  const target: Target = { ...change, kind, former: JSON.parse(change.former) as Former };
  const undo = async (): Promise<Pick<Undone, 'outcome' | 'reason'>> => {
    const isThere = (await findRevision(db, kind, change.record_id)) !== undefined;
    const refused = isThere ? await undoRecord(change.action, target, undoing) : [];
    if (!isDryRun) await restoreLink(db, source, target, change.foreign_id);
    const outcome = isThere && change.action !== 'created' ? 'restored' : 'removed';
    if (refused.length === 0) return { outcome };
    return { outcome, reason: { code: 'not-restored', detail: refused.join(', ') } };
  };
  try {
    return await (isDryRun ? undo() : inSavepoint(db, undo));
  } catch (error) {
    if (error instanceof Kept) return { outcome: 'kept', reason: error.reason };
    throw error;
  }
}

/** Restores the link that a record had before the import, so that the next import sees it as before. */
async function restoreLink(
  db: Database,
  source: string,
  { kind, record_id, former: { link } }: Target,
  foreignId: number,
): Promise<void> {
  if (foreignId === 0) return;
  await db.query
    .deleteFrom('import_links')
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', foreignId)
    .where('record_id', '=', record_id)
    .execute();
  if (link) {
    const { foreign_start: _start, ...former } = link;
    await saveLink(db, former);
  }
  // Later imports may bring any version of an entry again.
  const keys = db.query.updateTable('import_keys').set({ sequence: 0 }).where('id', '=', foreignId);
  await keys.where('source', '=', source).where('kind', '=', kind).execute();
}

async function undoRecord(action: Change['action'], target: Target, undoing: Undoing): Promise<readonly string[]> {
  if (action === 'changed') return restoreChanged(target, undoing);
  if (action === 'created') await removeCreated(target, undoing);
  return [];
}

/** Numbers of records by outcome and kind; a record that was created and changed counts once. */
async function countUndone(db: Database, id: number): Promise<UndoResult['counts']> {
  const rows = await db.query
    .selectFrom('import_changes')
    .select(['kind', 'outcome', (eb) => eb.fn.count<number>('record_id').distinct().as('count')])
    .where('import_id', '=', id)
    .where('action', '<>', 'linked')
    .groupBy(['kind', 'outcome'])
    .execute();
  const counts: UndoResult['counts'] = {};
  for (const kind of KINDS) {
    for (const { outcome, count } of rows.filter((row) => row.kind === kind)) {
      counts[outcome] ??= {};
      counts[outcome][kind] = Number(count);
    }
  }
  return counts;
}

/** An import that may be undone. */
export interface UndoableImport extends Import {
  /** Number of records that it created or changed and that were not undone. */
  records: number;
}

/** The latest imports that changed anything here. */
export async function listUndoable(db: Database, limit: number): Promise<UndoableImport[]> {
  const rows = await db.query
    .selectFrom('imports')
    .innerJoin('import_changes', 'import_changes.import_id', 'imports.id')
    .selectAll('imports')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('outcome', 'in', ['', 'kept'])
    .where('action', '<>', 'linked')
    .groupBy('imports.id')
    .orderBy('imports.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, records: Number(row.records) }));
}
