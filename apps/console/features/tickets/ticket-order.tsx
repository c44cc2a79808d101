import type { Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { t } from './routes.ts';

async function save(tickets: readonly Ticket[]): Promise<void> {
  for (const [index, { id, post_id }] of tickets.entries())
    await call('PATCH /tickets/v1/tickets/{id}', { id, post_id, menu_order: index + 1 });
  await Promise.all([refresh('/tickets/v1/tickets'), refresh('/admin/v1/events/{id}/stock')]);
}

interface TicketOrderProps {
  ticket: Ticket;
  /** All tickets of the event in their order. */
  tickets: readonly Ticket[];
}

/** Moves a ticket before or after its neighbour in the order that customers see. */
export function TicketOrder({ ticket, tickets }: TicketOrderProps) {
  const index = tickets.indexOf(ticket);
  const swap = async (by: 1 | -1): Promise<readonly Ticket[]> => {
    await save(moved(tickets, index, by));
    // Return the tickets as they were when the button was pressed: the table may show the new order before the move has
    // ended.
    return tickets;
  };
  const move = useAction(swap, {
    onSuccess: (before) => toast(t('order.done'), { undo: () => save(before) }),
    async onError(error) {
      toastProblem(error);
      await refresh('/tickets/v1/tickets');
    },
  });
  return (
    <span className="ticket-order">
      <IconButton
        icon="up"
        label={t('order.up', { name: ticket.title })}
        isDisabled={index === 0}
        onPress={() => move.run(-1)}
      />
      <IconButton
        icon="down"
        label={t('order.down', { name: ticket.title })}
        isDisabled={index === tickets.length - 1}
        onPress={() => move.run(1)}
      />
    </span>
  );
}

/** A list with one member swapped with the next or the previous one. */
function moved<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  const [one, other] = [list[index], list[index + by]];
  if (one === undefined || other === undefined) return [...list];
  return list.map((member, at) => {
    if (at === index) return other;
    return at === index + by ? one : member;
  });
}
