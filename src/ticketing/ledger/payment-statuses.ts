import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PaymentStatus } from '../../db/tables/ticketing.ts';

/** Statuses of payments, and the moves between them. */

/** Payments that may still bring money; a literal list, because partial indexes do not support bound values. */
export const OPEN_STATUSES = ['created', 'open', 'processing', 'action'] as const satisfies readonly PaymentStatus[];

export const isOpenPayment = ({ status }: { status: PaymentStatus }): boolean =>
  OPEN_STATUSES.some((open) => open === status);

/** Statuses of a payment that was made, also if a bank took its money back. */
export const MADE_STATUSES = ['paid', 'disputed', 'lost'] as const satisfies readonly PaymentStatus[];

/** Whether a payment was made, by its status here or at a gateway. */
export const isMade = ({ status }: { status: string }): boolean => MADE_STATUSES.some((made) => made === status);

/**
 * Next statuses of each status. Money that arrives or is on its way is booked even for a payment that had ended. An
 * offline payment is `cancelled` when it was booked by mistake.
 */
const MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  created: ['open', 'processing', 'action', 'failed', 'cancelled', ...MADE_STATUSES],
  open: ['processing', 'action', 'failed', 'cancelled', ...MADE_STATUSES],
  processing: ['open', 'action', 'failed', 'cancelled', ...MADE_STATUSES],
  action: ['open', 'processing', 'failed', 'cancelled', ...MADE_STATUSES],
  paid: ['disputed', 'lost', 'cancelled'],
  failed: ['processing', 'action', ...MADE_STATUSES],
  cancelled: ['processing', 'action', ...MADE_STATUSES],
  disputed: ['paid', 'lost'],
  lost: ['paid'],
};

/** Whether a payment may go from one status to another. */
export const mayMove = (from: PaymentStatus, to: PaymentStatus): boolean => MOVES[from].includes(to);

/** Whether a payment counts as money of its order: until a dispute is decided, the money is there. */
export const isSettled = ({ status }: { status: PaymentStatus }): boolean => status === 'paid' || status === 'disputed';

/** `isSettled` for rows of `payments` under a name. */
export const isSettledSql = (payment: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${payment}.status`)} IN ('paid', 'disputed')`;
