import type { Role } from '../src/http/core/auth.ts';
import type { Answer, TestServer } from './server.ts';

/** Creates, updates and deletes tickets as clients do, with a new token each time. */

/** A token for one write. */
export async function nonce(server: TestServer, action: string, as: Role = 'administrator', post_id?: number) {
  const body = await server.make('POST tickets:/nonces', { action, ...(post_id !== undefined && { post_id }) }, as);
  return body.nonce as string;
}

type Fields = Record<string, unknown>;

export async function addTicket(server: TestServer, fields: Fields, as: Role = 'administrator'): Promise<Answer> {
  const add_ticket_nonce = await nonce(server, 'add_ticket_nonce', as, Number(fields.post_id));
  return server.ask('POST tickets:/tickets', { as, body: { add_ticket_nonce, ...fields } });
}

export async function editTicket(
  server: TestServer,
  id: number,
  fields: Fields,
  as: Role = 'administrator',
): Promise<Answer> {
  const edit_ticket_nonce = await nonce(server, 'edit_ticket_nonce', as, Number(fields.post_id));
  return server.ask(`PATCH tickets:/tickets/${id}`, { as, body: { edit_ticket_nonce, ...fields } });
}

export async function deleteTicket(
  server: TestServer,
  id: number,
  post_id: number,
  as: Role = 'administrator',
): Promise<Answer> {
  const remove_ticket_nonce = await nonce(server, 'remove_ticket_nonce', as, post_id);
  return server.ask(`DELETE tickets:/tickets/${id}`, { as, query: { post_id, remove_ticket_nonce } });
}

/** As `addTicket`, for a step that must succeed; returns the body. */
export async function makeTicket(server: TestServer, post_id: number, fields: Fields = {}): Promise<Answer['body']> {
  const answer = await addTicket(server, { post_id, provider: 'tc', name: 'Seat', price: '10', ...fields });
  if (answer.status !== 202) throw new Error(`POST /tickets answered ${answer.status} ${answer.text}`);
  return answer.body;
}

export const EVENING = { title: 'Evening', start_date: '2027-03-06 18:30:00', end_date: '2027-03-06 21:00:00' };

/** Each event gets a unique slug, since looking for a free one takes most of the time. */
let slugs = 0;

/** Creates an event for tickets; returns its id. */
export async function makeEvent(server: TestServer, fields: Fields = {}, as: Role = 'administrator'): Promise<number> {
  slugs += 1;
  const slug = 'title' in fields ? {} : { slug: `evening-${slugs}` };
  return (await server.make('POST /events', { ...EVENING, ...slug, ...fields }, as)).id;
}
