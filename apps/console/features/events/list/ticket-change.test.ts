import { describe, expect, it } from 'vitest';
import type { Event, Ticket } from '../../../../../packages/client/src/marquee-client.ts';
import { planChanges, type TicketChange } from './ticket-change.ts';

const event = {
  id: 1,
  date: '2027-01-02 09:30:00',
  utc_start_date: '2027-03-06 23:30:00',
  utc_end_date: '2027-03-07 02:00:00',
} as Event;
const other = { ...event, id: 2 } as Event;
const ticket = (id: number, more: object = {}): Ticket =>
  ({
    id,
    post_id: 1,
    available_from: '2027-01-02 00:00:00',
    available_until: '2027-03-06 18:30:00',
    capacity_details: { max: 40, global_stock_mode: 'own' },
    ...more,
  }) as unknown as Ticket;

const plan = (change: TicketChange, tickets: readonly Ticket[]) =>
  planChanges(change, tickets, { events: [event, other], zone: 'America/New_York' }).map(({ id, body, former }) => ({
    id,
    body,
    former,
  }));
const sale = (more: Partial<TicketChange>) =>
  ({ field: 'sale', opens: 'keep', closes: 'keep', days: 0, hours: 0, ...more }) as TicketChange;

describe('the sale of many tickets', () => {
  it.each<[TicketChange, object | undefined, object | undefined]>([
    [sale({}), undefined, undefined],
    [sale({ opens: 'published', closes: 'start' }), undefined, undefined],
    [
      sale({ opens: 'days', days: 30 }),
      { start_date: '2027-02-04', start_time: '00:00:00' },
      { start_date: '2027-01-02', start_time: '00:00:00' },
    ],
    [
      sale({ closes: 'end' }),
      { end_date: '2027-03-06', end_time: '21:00:00' },
      { end_date: '2027-03-06', end_time: '18:30:00' },
    ],
    [
      sale({ closes: 'hours', hours: 24 }),
      { end_date: '2027-03-05', end_time: '18:30:00' },
      { end_date: '2027-03-06', end_time: '18:30:00' },
    ],
  ])('%j is in the zone of the site, and can be undone', (change, body, former) => {
    expect(plan(change, [ticket(7)])).toEqual(body ? [{ id: 7, body, former }] : []);
  });

  it('has an end where it had none, which can be undone', () => {
    expect(plan(sale({ closes: 'start' }), [ticket(7, { available_until: '' })])).toEqual([
      {
        id: 7,
        body: { end_date: '2027-03-06', end_time: '18:30:00' },
        former: { end_date: '', end_time: '' },
      },
    ]);
    expect(plan(sale({ opens: 'published' }), [ticket(7, { available_until: '' })])).toEqual([]);
  });

  it.each<[TicketChange, object]>([
    [sale({ opens: 'days', days: 0 }), { start_date: '2027-03-06', start_time: '00:00:00' }],
    [sale({ opens: 'days', days: 999_999 }), { start_date: '0001-01-01', start_time: '00:00:00' }],
    [sale({ opens: 'days', days: Number.MAX_SAFE_INTEGER }), { start_date: '0001-01-01', start_time: '00:00:00' }],
    [sale({ closes: 'hours', hours: 999_999 }), { end_date: '1913-02-06', end_time: '03:30:00' }],
  ])('%j is a date that the server can read', (change, body) => {
    expect(plan(change, [ticket(7)])).toMatchObject([{ body }]);
  });

  it('changes tickets of known events only', () => {
    expect(plan(sale({ closes: 'end' }), [ticket(7, { post_id: 9 })])).toEqual([]);
  });
});

describe('the places of many tickets', () => {
  const places = (max: number | undefined, global_stock_mode: string) => ({
    capacity_details: { ...(max !== undefined && { max }), global_stock_mode },
  });

  it.each<[string, object, object | undefined, object | undefined]>([
    ['places of its own', places(40, 'own'), { ticket: { capacity: 60 } }, { ticket: { capacity: 40 } }],
    ['as many places already', places(60, 'own'), undefined, undefined],
    ['no limit', places(0, ''), { ticket: { mode: 'own', capacity: 60 } }, { ticket: { mode: '' } }],
    ['shared places', places(80, 'global'), { ticket: { event_capacity: 60 } }, { ticket: { event_capacity: 80 } }],
    [
      'shared places without a limit',
      places(-1, 'global'),
      { ticket: { event_capacity: 60 } },
      { ticket: { event_capacity: '' } },
    ],
    ['a limit of shared places', places(10, 'capped'), undefined, undefined],
    ['places that the account may not see', places(undefined, 'own'), undefined, undefined],
  ])('a ticket with %s', (_name, more, body, former) => {
    expect(plan({ field: 'capacity', places: 60 }, [ticket(7, more)])).toEqual(body ? [{ id: 7, body, former }] : []);
  });

  it('changes shared places once for each event', () => {
    const shared = places(80, 'global');
    const tickets = [ticket(7, shared), ticket(8, shared), ticket(9, { ...shared, post_id: 2 })];
    expect(plan({ field: 'capacity', places: 60 }, tickets).map(({ id }) => id)).toEqual([7, 9]);
  });
});
