import { nonceFor, openEvent, openTicket, ticketBody } from '../race-actions.ts';
import type { Site } from './site.ts';

/** Actions that change much at once. */
export interface Act {
  name: string;
  /** Parts that are each done whole or not at all. */
  steps: number;
  /** Creates the records that one action needs, as many every time, so that the action changes as much every time. */
  prepare(site: Site): Promise<Ready>;
}

export interface Ready {
  call: string;
  body: object;
}

const EDITS = 25;
const LINKED = 40;
const TICKETS = 8;
const PLACES = 30;
const GIVEN_BACK = 20;

async function need(site: Site, call: string, body?: object) {
  const answer = await site.ask(call, { body });
  if (answer.status < 300) return answer.body;
  throw new Error(`${call} is answered ${answer.status} ${JSON.stringify(answer.body)}`);
}

let texts = 0;
const fresh = (what: string): string => {
  texts += 1;
  return `${what} ${texts}`;
};

/** The edits of one batch, as the calls that it takes. */
const edits = (ids: readonly number[], body: object) =>
  ids.map((id) => ({ method: 'PATCH', path: `/calendar/events/v1/events/${id}`, body }));

const openEvents = async (site: Site, count: number): Promise<number[]> => {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await openEvent(site));
  return ids;
};

function batchOfEdits(): Act {
  let ids: number[] = [];
  return {
    name: 'batch',
    steps: EDITS,
    async prepare(site) {
      if (ids.length === 0) ids = await openEvents(site, EDITS);
      return { call: 'POST admin:/batch', body: { calls: edits(ids, { title: fresh('Edited') }) } };
    },
  };
}

function mergeOfVenues(): Act {
  let ids: number[] = [];
  return {
    name: 'merge',
    steps: 1,
    async prepare(site) {
      if (ids.length === 0) ids = await openEvents(site, LINKED);
      const open = async (): Promise<number> => (await need(site, 'POST events:/venues', { venue: fresh('Hall') })).id;
      const [survivor, ...from] = [await open(), await open(), await open()];
      for (const [index, venue] of from.entries()) {
        const half = ids.filter((_, position) => position % 2 === index);
        await need(site, 'POST admin:/batch', { calls: edits(half, { venue }) });
      }
      return { call: `POST admin:/venues/${survivor}/merge`, body: { from } };
    },
  };
}

function duplicateOfEvent(): Act {
  let id: number | undefined;
  return {
    name: 'duplicate',
    steps: 1,
    async prepare(site) {
      if (id === undefined) {
        id = await openEvent(site);
        for (let count = 0; count < TICKETS; count += 1) await openTicket(site, id, { mode: 'own', capacity: 10 });
      }
      return { call: `POST admin:/events/${id}/duplicate`, body: { with_tickets: true } };
    },
  };
}

function orderGivenBack(): Act {
  let ticketId: number | undefined;
  return {
    name: 'give back',
    steps: 1,
    async prepare(site) {
      if (ticketId === undefined) {
        const event = await openEvent(site);
        const ticket = ticketBody(event, await nonceFor(site, event), { mode: 'own', capacity: 10_000 });
        ticketId = Number((await need(site, 'POST tickets:/tickets', { ...ticket, price: '5' })).id);
      }
      const items = [{ ticket_id: ticketId, quantity: PLACES }];
      const { id, attendees } = await need(site, 'POST admin:/orders', { items, payment: 'cash' });
      const given = attendees.slice(0, GIVEN_BACK).map((attendee: { id: number }) => attendee.id);
      return { call: `POST admin:/orders/${id}/cancel-places`, body: { attendees: given } };
    },
  };
}

/** New ones: they remember what they have made on a site. */
export const actsOfMuch = (): Act[] => [batchOfEdits(), mergeOfVenues(), duplicateOfEvent(), orderGivenBack()];
