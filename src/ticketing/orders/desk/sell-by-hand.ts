import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import { originOf, type SellByHand } from '../../attendees/create.ts';
import { priceOn } from '../../tickets/store.ts';
import { placeOrder } from '../create-order.ts';

/** Sells a seat by hand: `SellByHand` of attendees. */
export const sellByHand: SellByHand = async (db, ctx, { ticket, guest }) => {
  const { config } = ctx.context;
  const today = localDay(toUtc(ctx.now), config.timezone);
  const { attendees } = await placeOrder(
    db,
    {
      purchaser: { name: guest.full_name, email: guest.email },
      gateway: 'manual',
      status: 'completed',
      currency: config.currency,
      seats: 'take',
      items: [{ ticket, price: priceOn(ticket, today), attendees: [guest] }],
      seller: ctx.actor,
    },
    originOf(ctx),
  );
  const [attendee] = attendees;
  if (!attendee) throw new Error('an order for one seat has no attendee');
  return attendee;
};
