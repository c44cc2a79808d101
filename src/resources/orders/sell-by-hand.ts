import { localDay, toWall } from '../../lib/dates.ts';
import { makingOf, type SellByHand } from '../attendees/create.ts';
import { priceOn } from '../tickets/store.ts';
import { placeOrder } from './create-order.ts';

/** The side of orders in what creating an attendee does. */
export const sellByHand: SellByHand = async (db, ctx, { ticket, guest }) => {
  const { config } = ctx.context;
  const today = localDay(toWall(ctx.now), config.timezone);
  const { attendeeIds } = await placeOrder(
    db,
    {
      purchaser: { name: guest.full_name, email: guest.email },
      gateway: 'manual',
      status: 'completed',
      currency: config.currency,
      places: 'take',
      items: [{ ticket, price: priceOn(ticket, today), attendees: [guest] }],
    },
    makingOf(ctx),
  );
  const [id] = attendeeIds;
  if (id === undefined) throw new Error('an order of one place made no attendee');
  return id;
};
