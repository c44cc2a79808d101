import type { Context } from '../base/context.ts';
import { addSeconds, toUtc } from '../lib/dates/dates.ts';
import { removeRowsBefore } from '../platform/audit/store.ts';

/** Rows that one run deletes, so that it holds no lock for long. */
const BATCH = 500;
const DAY = 24 * 60 * 60;

/** Deletes what the audit log has kept for `MARQUEE_RETAIN_AUDIT` days; returns how many rows it deleted. */
export const forgetAudit = ({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>): Promise<number> =>
  removeRowsBefore(db, addSeconds(toUtc(now()), -config.retainAudit * DAY), BATCH);
