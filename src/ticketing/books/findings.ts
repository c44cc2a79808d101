import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { ReconciliationFindingsTable } from '../../db/tables/book.ts';
import { eventScope, type Viewer } from '../../http/core/auth.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { isSameMoney, type Money } from '../../lib/money/money.ts';

/** Findings of the reconciliation: differences between the ledger and a payment service, each stored once. */

export type Finding = Selectable<ReconciliationFindingsTable>;

/** Days that are compared by default, today included, so that a failed run or a slow bank loses nothing. */
export const RECENT_DAYS = 4;

/** Whether a viewer sees findings: they may concern any order, even one that is unknown here. */
export const mayReadFindings = (viewer: Viewer): boolean => eventScope(viewer, 'read_orders') === 'all';

/** A payment or refund in the ledger and at its service. */
export interface Comparison
  extends Pick<Finding, 'gateway' | 'subject' | 'order_id' | 'payment_id' | 'refund_id' | 'external_id' | 'date_utc'> {
  /** In the ledger; null if it is missing there. */
  booked: Money | null;
  /** At the service; null if it is missing there. */
  settled: Money | null;
}

/** Difference of a payment or refund; undefined if there is none. */
export function differenceOf({ booked, settled }: Pick<Comparison, 'booked' | 'settled'>): Finding['kind'] | undefined {
  if (!booked) return settled ? 'missing-here' : undefined;
  if (!settled) return 'missing-at-service';
  return isSameMoney(booked, settled) ? undefined : 'amount';
}

export const findFinding = (db: Database, id: number): Promise<Finding | undefined> =>
  db.query.selectFrom('reconciliation_findings').selectAll().where('id', '=', id).executeTakeFirst();

/** Open findings of a gateway; of all by default. */
export const findOpenFindings = (db: Database, gateway?: string): Promise<Finding[]> =>
  db.query
    .selectFrom('reconciliation_findings')
    .selectAll()
    // A literal, because partial indexes do not support bound values.
    .where('status', '=', sql.lit('open'))
    .$if(gateway !== undefined, (query) => query.where('gateway', '=', gateway ?? ''))
    .orderBy('id')
    .execute();

/**
 * Stores the difference of a payment or refund, or closes its finding if there is none any more. A finding that staff
 * have closed stays closed until the difference changes.
 * @returns the finding, if it is open
 */
export function noteComparison(db: Database, comparison: Comparison, now: Date): Promise<Finding | undefined> {
  return db.transaction(async (trx) => {
    const { gateway, subject } = comparison;
    const found = () =>
      trx.query
        .selectFrom('reconciliation_findings')
        .selectAll()
        .where('gateway', '=', gateway)
        .where('subject', '=', subject)
        .executeTakeFirst();
    const row = rowOf(comparison);
    const present = await found();
    if (!row) {
      if (present?.status === 'open') await changeFinding(trx, present, { status: 'gone', modified_utc: toUtc(now) });
      return undefined;
    }
    const isSame = present && isSameDifference(present, row);
    if (!present) {
      // Another process may have found it meanwhile.
      const values = { ...row, created_utc: toUtc(now), modified_utc: toUtc(now) };
      await trx.query
        .insertInto('reconciliation_findings')
        .values(values)
        .onConflict((conflict) => conflict.columns(['gateway', 'subject']).doNothing())
        .execute();
    } else if (!isSame || present.status === 'gone')
      await changeFinding(trx, present, { ...row, status: 'open', note: '', user_id: 0, modified_utc: toUtc(now) });
    const stored = await found();
    return stored?.status === 'open' ? stored : undefined;
  });
}

type Row = Omit<Insertable<ReconciliationFindingsTable>, 'created_utc' | 'modified_utc'>;

function rowOf({ booked, settled, ...subject }: Comparison): Row | undefined {
  const kind = differenceOf({ booked, settled });
  if (!kind) return undefined;
  return {
    ...subject,
    kind,
    booked: booked?.amount ?? null,
    booked_currency: booked?.currency ?? '',
    settled: settled?.amount ?? null,
    settled_currency: settled?.currency ?? '',
  };
}

const isSameDifference = (present: Finding, row: Row): boolean =>
  present.kind === row.kind &&
  present.booked === row.booked &&
  present.booked_currency === row.booked_currency &&
  present.settled === row.settled &&
  present.settled_currency === row.settled_currency;

/** @returns whether it had the given status */
async function changeFinding(
  db: Database,
  { id, status }: Pick<Finding, 'id' | 'status'>,
  change: Partial<Insertable<ReconciliationFindingsTable>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db.query
    .updateTable('reconciliation_findings')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Closes an open finding with a note of staff. Returns whether it was open. */
export const closeFinding = (
  db: Database,
  id: number,
  { note, userId, now }: { note: string; userId: number; now: Date },
): Promise<boolean> =>
  db.transaction((trx) =>
    changeFinding(trx, { id, status: 'open' }, { status: 'closed', note, user_id: userId, modified_utc: toUtc(now) }),
  );
