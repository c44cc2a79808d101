import { expect, it } from 'vitest';
import { changeOf, type TicketFields } from './ticket-fields.ts';

const PRESENT: TicketFields = {
  ...{ name: 'Adults', description: '', price: '20', mode: 'own', capacity: '80', max_per_order: '20' },
  ...{ min_per_order: '', tax_rate_id: '', min_price: '', requires_code: '' },
  ...{ from: '', until: '' },
  ...{ reduced: '15', reduced_from: '', reduced_until: '2027-01-31' },
};

it.each([
  [{ name: 'Adults' }, { name: 'Adults' }],
  [{ capacity: '40' }, { ticket: { capacity: '40' } }],
  [{ mode: 'capped', capacity: '12' }, { ticket: { mode: 'capped', capacity: '12' } }],
  [{ max_per_order: '4' }, { max_per_order: 4 }],
  [{ max_per_order: '0' }, { max_per_order: 0 }],
  [{ max_per_order: '' }, { max_per_order: null }],
  [{ min_per_order: '2' }, { min_per_order: 2 }],
  [{ min_per_order: '' }, { min_per_order: null }],
  [{ tax_rate_id: '7' }, { tax_rate_id: 7 }],
  [{ tax_rate_id: '' }, { tax_rate_id: null }],
  [{ min_price: '5' }, { min_price: '5' }],
  [{ min_price: '' }, { min_price: '' }],
  [{ requires_code: 'yes' }, { requires_code: true }],
  [{ requires_code: '' }, { requires_code: false }],
  [{ until: '2027-03-06 18:30:00' }, { end_date: '2027-03-06', end_time: '18:30:00' }],
  [
    { reduced: '12' },
    { ticket: { sale_price: { checked: true, price: '12', start_date: '', end_date: '2027-01-31' } } },
  ],
  [{ reduced: '' }, { ticket: { sale_price: { checked: false, price: '', start_date: '', end_date: '2027-01-31' } } }],
])('a change of %j is sent as %j', (patch, sent) => {
  expect(changeOf(patch, PRESENT)).toEqual(sent);
});
