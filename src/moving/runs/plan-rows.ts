import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { ImportAction, ImportPlansTable } from '../../db/tables/import.ts';
import { storable } from '../../lib/text/text.ts';
import type { Draft, Finding } from '../drafts.ts';
import type { KeyedRecord } from '../keyed/keyed-record.ts';
import type { Plan } from '../plan.ts';
import { titleOf } from '../report.ts';

/** Plans of imports, record by record. */

export type PlanRow = Selectable<ImportPlansTable>;
export type NewPlanRow = Omit<Insertable<ImportPlansTable>, 'run_id' | 'number'>;

/** Maximum rows of a plan; later records are only counted. */
export const MAX_ROWS = 500_000;
const MAX_TITLE = 200;
const MAX_NAME = 2000;
const MAX_NOTES = 10;
const MAX_DETAIL = 500;

/** Cuts a text first, since a cut may leave half a surrogate pair, which cannot be stored. */
const short = (text: string, max: number): string => storable(text.slice(0, max));

const notesOf = (notes: readonly Finding[]): string =>
  JSON.stringify(notes.slice(0, MAX_NOTES).map(({ code, detail }) => ({ code, detail: short(detail, MAX_DETAIL) })));

function shownFields(plan: Plan): readonly string[] {
  if (!('kept' in plan)) return [];
  return plan.action === 'conflict' ? plan.kept : plan.fields;
}

/** A row about a record of a site. */
export function siteRow(draft: Draft, plan: Plan): NewPlanRow {
  const { kind, id, fields, findings } = draft;
  const shown = shownFields(plan);
  const notes = plan.action === 'cannot' ? [plan.why, ...findings] : [...findings];
  if (plan.action === 'change' && plan.kept.length > 0)
    notes.push({ code: 'changed-here', detail: plan.kept.join(', ') });
  return {
    ...{ action: plan.action, kind, foreign_id: id, name: '', title: short(titleOf(fields), MAX_TITLE) },
    ...{ fields: JSON.stringify(shown), notes: notesOf(notes) },
  };
}

/** A row about a record of a file. */
export function keyedRow(
  { kind, line, key, title, findings }: KeyedRecord,
  action: ImportAction,
  details: readonly string[],
  why?: Finding,
): NewPlanRow {
  return {
    ...{ action, kind, foreign_id: line, name: short(key, MAX_NAME), title: short(title, MAX_TITLE) },
    ...{ fields: JSON.stringify(details), notes: notesOf(why ? [why, ...findings] : findings) },
  };
}

/** Rows in a statement. */
const AT_ONCE = 500;

/** Adds rows, numbered from `first`. */
export async function insertRows(
  { query }: Database,
  run: number,
  { rows, first }: { rows: readonly NewPlanRow[]; first: number },
): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE)
    await query
      .insertInto('import_plans')
      .values(
        rows.slice(from, from + AT_ONCE).map((row, index) => ({ ...row, run_id: run, number: first + from + index })),
      )
      .execute();
}

export interface PlanFilter {
  action?: ImportAction | undefined;
  kind?: string | undefined;
  /** Only rows with notes. */
  noted?: boolean | undefined;
}

const filtered = ({ query }: Database, run: number, { action, kind, noted }: PlanFilter) =>
  query
    .selectFrom('import_plans')
    .where('run_id', '=', run)
    .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? 'create'))
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind ?? ''))
    .$if(noted !== undefined, (rows) => rows.where('notes', noted ? '<>' : '=', '[]'));

/** Lists rows in the order of the source. */
export async function listPlan(
  db: Database,
  run: number,
  { limit, offset, ...filter }: PlanFilter & { limit: number; offset: number },
): Promise<{ rows: PlanRow[]; total: number }> {
  const counted = await filtered(db, run, filter)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirst();
  const rows = await filtered(db, run, filter).selectAll().orderBy('number').limit(limit).offset(offset).execute();
  return { rows, total: Number(counted?.count ?? 0) };
}
