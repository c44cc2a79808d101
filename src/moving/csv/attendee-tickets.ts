import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { fold } from '../../lib/text/text.ts';
import type { Finding } from '../drafts.ts';
import type { KeyedRecord, KeyedWriting } from '../keyed/keyed-record.ts';
import { keyOf } from '../keyed/keys.ts';
import { saveLink } from '../links.ts';

/** Finds the tickets of attendees in tables, which name event and ticket. */

/** Adds the ticket of this site to the record of an attendee, or the reason why there is none. */
export async function withTicket(
  db: Database,
  record: KeyedRecord,
  writing?: Pick<KeyedWriting, 'source' | 'importId' | 'ctx'>,
): Promise<KeyedRecord> {
  if (record.kind !== 'attendee' || record.cannot) return record;
  const ticket = await findTicket(db, record.fields);
  if ('code' in ticket) return { ...record, cannot: ticket };
  const { event: _event, event_id: _id, event_day: _day, ticket: _ticket, order, ...fields } = record.fields;
  if (!writing) return { ...record, fields };
  const { source, importId, ctx } = writing;
  const key = await keyOf(db, source, 'ticket', `ticket ${ticket.id}`);
  await saveLink(db, {
    ...{ source, kind: 'ticket', foreign_id: key.id, record_id: ticket.id },
    ...{ hash: '', fields: '{}', revision: 1, import_id: importId, seen_utc: toUtc(ctx.now) },
  });
  const number = scalarText(order) ?? '';
  const orderKey = number === '' ? undefined : await keyOf(db, source, 'order', number);
  return { ...record, fields: { ...fields, ticket_id: key.id, order: orderKey?.id ?? 0 } };
}

async function findTicket(db: Database, fields: KeyedRecord['fields']): Promise<{ id: number } | Finding> {
  const event = await findEvent(db, fields);
  if ('code' in event) return event;
  const name = scalarText(fields.ticket) ?? '';
  const rows = await db.query
    .selectFrom('tickets')
    .select(['id', 'title_key'])
    .where('event_id', '=', event.id)
    .where('is_deleted', '=', 0)
    .orderBy('id')
    .limit(100)
    .execute();
  const matching =
    name === '' ? rows : rows.filter(({ id, title_key }) => title_key === fold(name) || String(id) === name);
  const [ticket, another] = matching;
  if (!ticket) return { code: 'no-ticket-here', detail: name.slice(0, 100) };
  return another ? { code: 'ticket-unclear', detail: name.slice(0, 100) } : { id: ticket.id };
}

async function findEvent(db: Database, { event, event_id, event_day }: KeyedRecord['fields']) {
  const name = scalarText(event) ?? '';
  const number = /^\d{1,12}$/.exec(scalarText(event_id) || name)?.[0];
  const events = db.query.selectFrom('events').select('id').where('status', '<>', 'trash').orderBy('id').limit(2);
  if (number !== undefined) {
    const found = await events.where('id', '=', Number(number)).executeTakeFirst();
    return found ?? { code: 'no-event-here', detail: number };
  }
  const named = events.where('title_key', '=', fold(name));
  const day = scalarText(event_day) ?? '';
  const rows = await (day === '' ? named : named.where('start_date', 'like', `${day}%`)).execute();
  const [found, another] = rows;
  if (!found || name === '') return { code: 'no-event-here', detail: name.slice(0, 100) };
  return another ? { code: 'event-unclear', detail: name.slice(0, 100) } : found;
}
