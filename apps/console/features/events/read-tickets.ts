import type { Event, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { readPages } from '../../../client/bulk.ts';
import { readNow } from '../../data/queries.ts';

/** Number of events whose tickets are read in one request. */
const TOGETHER = 50;
const PER_PAGE = 100;

/** Tickets of events that the account may edit, which withhold nothing. */
export async function readTickets(events: readonly Event[], signal?: AbortSignal): Promise<Ticket[]> {
  const ids = events.filter(({ ticketed }) => Array.isArray(ticketed)).map(({ id }) => id);
  const found = [];
  for (let start = 0; start < ids.length; start += TOGETHER) {
    const input = { include_post: ids.slice(start, start + TOGETHER), status: ['any'], post_status: ['any'] };
    const readPage = async (page: number) => {
      const answer = await readNow('GET /tickets/v1/tickets', { ...input, page, per_page: PER_PAGE }, signal);
      return { rows: answer.tickets, pages: answer.total_pages };
    };
    found.push(...(await readPages(readPage, { signal })));
  }
  return found.filter((ticket): ticket is Ticket => typeof ticket.title === 'string');
}
