import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { ImportFindingsTable, ImportLinksTable, ImportsTable } from '../db/tables/import.ts';
import { isOneOf } from '../db/value-list.ts';
import { storable } from '../lib/text/text.ts';
import type { Draft, Finding } from './drafts.ts';
import { SourceError } from './source.ts';

/** Links between records of a source and records here, and the progress of imports. */

/** Codes of findings that name addresses of the source, for the rules of a proxy. */
export const ADDRESS_CODES = ['address-word', 'address-page', 'address-file'] as const;

export type Import = Selectable<ImportsTable>;
export type Link = Selectable<ImportLinksTable>;

/** Kinds of links: kinds of drafts, and records imported along with them. */
export type LinkKind = Draft['kind'] | 'media';

export const findLink = (db: Database, source: string, kind: LinkKind, id: number): Promise<Link | undefined> =>
  db.query
    .selectFrom('import_links')
    .selectAll()
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', id)
    .where('foreign_start', '=', '')
    .executeTakeFirst();

/** Links of several records; those that were not imported are absent. */
export const findLinks = (db: Database, source: string, kind: LinkKind, ids: readonly number[]): Promise<Link[]> =>
  db.query
    .selectFrom('import_links')
    .selectAll()
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where((eb) => isOneOf(eb.ref('foreign_id'), ids))
    .where('foreign_start', '=', '')
    .execute();

/** Ids here of records of a source; those that were not imported are absent. */
export async function findRecordIds(
  db: Database,
  source: string,
  kind: LinkKind,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.query
    .selectFrom('import_links')
    .select(['foreign_id', 'record_id'])
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where((eb) => isOneOf(eb.ref('foreign_id'), ids))
    .execute();
  return new Map(rows.flatMap(({ foreign_id, record_id }) => (record_id === null ? [] : [[foreign_id, record_id]])));
}

/** Writes a link, in the transaction that writes its record. */
export async function saveLink(
  db: Database,
  link: Omit<Link, 'foreign_start'>,
  page?: { note(link: Link): void },
): Promise<void> {
  page?.note({ ...link, foreign_start: '' });
  const { source, kind, foreign_id, ...values } = link;
  await db.query
    .insertInto('import_links')
    .values(link)
    .onConflict((conflict) => conflict.columns(['source', 'kind', 'foreign_id', 'foreign_start']).doUpdateSet(values))
    .execute();
}

/** Rows per statement: SQLite allows 32,766 values. */
export const PER_STATEMENT = 500;

/** Notes problems of a record; each is noted once. */
export async function saveFindings(
  db: Database,
  at: Pick<Selectable<ImportFindingsTable>, 'import_id' | 'kind' | 'foreign_id'>,
  findings: readonly Finding[],
): Promise<void> {
  const rows = findings.map(({ code, detail }) => ({ ...at, code, detail: storedDetail(detail) }));
  for (let from = 0; from < rows.length; from += PER_STATEMENT)
    await db.query
      .insertInto('import_findings')
      .values(rows.slice(from, from + PER_STATEMENT))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

const storedDetail = (detail: string): string => storable(detail).slice(0, 500);

/** Leaves out addresses that an earlier import of the source has recorded: a site may be imported every hour. */
export async function withoutKeptAddresses(
  db: Database,
  source: string,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const codes: ReadonlySet<string> = new Set(ADDRESS_CODES);
  const details = findings.flatMap(({ code, detail }) => (codes.has(code) ? [storedDetail(detail)] : []));
  if (details.length === 0) return [...findings];
  const rows = await db.query
    .selectFrom('import_findings')
    .innerJoin('imports', 'imports.id', 'import_findings.import_id')
    .select(['code', 'detail'])
    .where('source', '=', source)
    .where('undone_utc', 'is', null)
    .where('code', 'in', ADDRESS_CODES)
    .where((eb) => isOneOf(eb.ref('detail'), details))
    .execute();
  const kept = new Set(rows.map(({ code, detail }) => `${code} ${detail}`));
  return findings.filter(({ code, detail }) => !kept.has(`${code} ${storedDetail(detail)}`));
}

/** Problems of an import, without the addresses that it keeps for a proxy. */
export const listFindings = (db: Database, importId: number): Promise<Selectable<ImportFindingsTable>[]> =>
  db.query
    .selectFrom('import_findings')
    .selectAll()
    .where('import_id', '=', importId)
    .where('code', 'not in', ADDRESS_CODES)
    .orderBy('kind')
    .orderBy('foreign_id')
    .orderBy('id')
    .execute();

/**
 * The last import of a source, if it has not finished. An earlier import would overwrite newer values with older ones.
 */
export async function findUnfinished(db: Database, source: string): Promise<Import | undefined> {
  const last = await db.query
    .selectFrom('imports')
    .selectAll()
    .where('source', '=', source)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.finished_utc === null ? last : undefined;
}

export const findImport = (db: Database, id: number): Promise<Import | undefined> =>
  db.query.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();

const beginImport = (db: Database, values: Pick<Import, 'source' | 'started_utc' | 'step'>): Promise<Import> =>
  db.query.insertInto('imports').values(values).returningAll().executeTakeFirstOrThrow();

/** Lets another process continue an import. */
export interface Continuing {
  /** Import to continue. */
  importId?: number;
  /** Called in the transaction that begins one. */
  onBegin?: (db: Database, id: number) => Promise<void>;
}

/** Begins an import, and lets `onBegin` record it elsewhere in the same transaction. */
export const begin = (
  db: Database,
  values: Pick<Import, 'source' | 'started_utc' | 'step'>,
  { onBegin }: Continuing,
): Promise<Import> =>
  db.transaction(async (trx) => {
    const begun = await beginImport(trx, values);
    await onBegin?.(trx, begun.id);
    return begun;
  });

/** First stored position of imports from files: it must not be mistaken for a position of a running site. */
export const FILE_STEPS = 1000;

/** First stored position of passes over changed records, whose pages differ from the pages of all records. */
export const CHANGED_STEPS = 500;

/** Whether files of a source were imported. */
export async function wasFile(db: Database, source: string): Promise<boolean> {
  const query = db.query.selectFrom('imports').select('id').where('source', '=', source);
  return (await query.where('step', '>=', FILE_STEPS).limit(1).executeTakeFirst()) !== undefined;
}

/** Thrown when another process has advanced an import. */
export class PositionLost extends SourceError {
  constructor() {
    super('Another process continues this import.');
  }
}

/** Position of an import: step, page and pass. */
export type Position = Pick<Import, 'step' | 'page' | 'pass'>;

/**
 * Advances an import, in the transaction of the page.
 * @returns false if another process has advanced it
 */
export async function moveImport(
  db: Database,
  { id, step, page, pass }: Import,
  next: Position & Partial<Pick<Import, 'counts' | 'finished_utc'>>,
): Promise<boolean> {
  const moved = await db.query
    .updateTable('imports')
    .set(next)
    .where('id', '=', id)
    .where('step', '=', step)
    .where('page', '=', page)
    .where('pass', '=', pass)
    .where('finished_utc', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Number of records, by kind, from earlier imports that a finished import did not see. */
export async function countGone(
  db: Database,
  { id, source }: Pick<Import, 'id' | 'source'>,
): Promise<Map<string, number>> {
  const rows = await db.query
    .selectFrom('import_links')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('source', '=', source)
    .where('import_id', '<', id)
    .where('record_id', 'is not', null)
    .where('kind', 'not in', ['media', 'order'])
    .groupBy('kind')
    .execute();
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]));
}
