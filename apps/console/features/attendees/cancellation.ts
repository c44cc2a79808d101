import type { BatchCall, ChangedOrder, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import type { BulkState } from '../../../client/bulk.ts';

/** Seats of one order, which are cancelled together: an order without other seats becomes void. */
export interface OrderPlaces {
  id: number;
  attendees: readonly ListedAttendee[];
}

/** Seats that can be cancelled, and the numbers of those that cannot, by reason. */
export interface CancellationPlan {
  orders: readonly OrderPlaces[];
  /** Already cancelled, alone or with their order. */
  archived: number;
  inside: number;
  /** RSVPs have no order; changing the RSVP frees the seat. */
  rsvps: number;
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
    rsvps: sold.get(null)?.length ?? 0,
  };
}

/** Fields of the responses to `cancelCall`. */
type Cancelled = Pick<ChangedOrder, 'status' | 'currency' | 'changes'>;

/** Call that cancels seats, or previews that. */
export const cancelCall = (
  { id, attendees }: OrderPlaces,
  options: { dry_run: true } | { reason?: string },
): BatchCall => ({
  method: 'POST',
  path: `/calendar/admin/v1/orders/${id}/cancel-places?_fields=status,currency,changes`,
  body: { attendees: attendees.map((one) => one.id), ...options },
});

export interface CancellationSum {
  /** Orders whose seats can be cancelled. */
  orders: readonly OrderPlaces[];
  places: number;
  /** Orders that become void. */
  voided: number;
  /** Amounts paid for the seats, by currency. */
  paid: ReadonlyMap<string, number>;
  /** Seats that cannot be cancelled, by error. */
  refused: readonly { error: unknown; places: number }[];
}

/** Sums up the responses to `cancelCall` for each order. */
export function sumCancellation({ changed, answers, failed }: BulkState<OrderPlaces>): CancellationSum {
  // Fields requested by `cancelCall`.
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
