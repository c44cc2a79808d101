import type { Answer, TestServer } from './server.ts';
import { makeTicket } from './tickets.ts';

/** Creates attendees as clients do. */

type Fields = Record<string, unknown>;

export const addAttendee = (server: TestServer, ticket_id: number, fields: Fields = {}): Promise<Answer> =>
  server.ask('POST tickets:/attendees', {
    as: 'administrator',
    body: { ticket_id, full_name: 'Ada Park', email: 'ada@party.test', ...fields },
  });

/** As `addAttendee`, but has to succeed; returns the body. */
export async function makeAttendee(server: TestServer, ticketId: number, fields: Fields = {}): Promise<Answer['body']> {
  const answer = await addAttendee(server, ticketId, fields);
  if (answer.status !== 201) throw new Error(`POST /attendees answered ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Creates an RSVP ticket; returns its id. */
export const makeRsvp = async (server: TestServer, event: number, capacity: number | '' = ''): Promise<number> =>
  (await makeTicket(server, event, { provider: 'rsvp', name: 'Reply', price: '', ticket: { capacity } })).id;

/** Creates a ticket with a price and its own seats; returns its id. */
export const makeSeat = async (
  server: TestServer,
  event: number,
  capacity = 10,
  fields: Fields = {},
): Promise<number> => (await makeTicket(server, event, { ticket: { mode: 'own', capacity }, ...fields })).id;

/** The security code of an attendee. */
export async function codeOf(server: TestServer, id: number): Promise<string> {
  return (await server.ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body.security_code;
}

/** Address of the page of an attendee's ticket. */
export async function pageOf(server: TestServer, id: number): Promise<string> {
  return (await server.ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body.url;
}

/** The `sold` counter of a ticket. */
export async function soldOf({ context }: TestServer, ticketId: number): Promise<number> {
  const { query } = context.db;
  return (await query.selectFrom('tickets').select('sold').where('id', '=', ticketId).executeTakeFirstOrThrow()).sold;
}
