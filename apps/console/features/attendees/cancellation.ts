import type { BatchCall, ChangedOrder, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import type { BulkState } from '../../../client/bulk.ts';

/** Places of one order, which are cancelled together: an order without any other becomes void. */
export interface OrderPlaces {
  /** Of the order. */
  id: number;
  attendees: readonly ListedAttendee[];
}

/** Which places can be cancelled, and how many others there are, by why they stay. */
export interface CancellationPlan {
  orders: readonly OrderPlaces[];
  /** Given back already, alone or with their order. */
  archived: number;
  inside: number;
  /** Who has only replied has no order: another reply frees the place. */
  replies: number;
}

export function planCancellation(rows: readonly ListedAttendee[]): CancellationPlan {
  const open = rows.filter(({ status }) => status !== 'trash');
  const outside = open.filter(({ checked_in }) => !checked_in);
  const sold = new Map<number | null, ListedAttendee[]>();
  for (const row of outside) sold.set(row.order_id, [...(sold.get(row.order_id) ?? []), row]);
  return {
    orders: [...sold].flatMap(([id, attendees]) => (id === null ? [] : [{ id, attendees }])),
    archived: rows.length - open.length,
    inside: open.length - outside.length,
    replies: sold.get(null)?.length ?? 0,
  };
}

/** What the calls below answer. */
type Cancelled = Pick<ChangedOrder, 'status' | 'currency' | 'changes'>;

/** The call that cancels places, or that asks what it would do. */
export const cancelCall = (
  { id, attendees }: OrderPlaces,
  options: { dry_run: true } | { reason?: string },
): BatchCall => ({
  method: 'POST',
  path: `/calendar/admin/v1/orders/${id}/cancel-places?_fields=status,currency,changes`,
  body: { attendees: attendees.map((one) => one.id), ...options },
});

export interface CancellationSum {
  /** Those whose places can be cancelled. */
  orders: readonly OrderPlaces[];
  places: number;
  /** Orders that become void. */
  voided: number;
  /** What was paid for the places, by currency. */
  paid: ReadonlyMap<string, number>;
  /** Places that cannot be cancelled, by the error that says why. */
  refused: readonly { error: unknown; places: number }[];
}

/** What cancelling does in all, by the answers to calls about each order. */
export function sumCancellation({ changed, answers, failed }: BulkState<OrderPlaces>): CancellationSum {
  // The fields that the calls above ask for.
  const done = answers as readonly Cancelled[];
  const paid = new Map<string, number>();
  for (const [index, { currency, changes }] of done.entries()) {
    const isPaid = changed[index]?.attendees[0]?.attendee_status === 'completed';
    if (isPaid && changes.paid.minor > 0) paid.set(currency, (paid.get(currency) ?? 0) + changes.paid.minor);
  }
  return {
    orders: changed,
    places: done.reduce((sum, { changes }) => sum + changes.archived.length, 0),
    voided: done.filter(({ status, changes }) => status === 'voided' && changes.archived.length > 0).length,
    paid,
    refused: failed.map(({ row, error }) => ({ error, places: row.attendees.length })),
  };
}
