import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
type Position = '' | 'prefix' | 'postfix';

const COSTS: [sent: unknown, cost: string, symbol: string, position: Position, values: string[]][] = [
  ['20$', '20$', '$', 'postfix', ['20']],
  ['$20', '$20', '$', 'prefix', ['20']],
  ['20', '$20', '', '', ['20']],
  [20, '$20', '', '', ['20']],
  [20.5, '$20.5', '', '', ['20.5']],
  ['$20.50', '$20.50', '$', 'prefix', ['20.50']],
  ['20,50 €', '20,50 €', '', '', ['20.50']],
  ['20 €', '20 €', '€', 'postfix', ['20']],
  ['100 EUR', '100EUR', 'EUR', 'postfix', ['100']],
  ['Free', 'Free', '', '', ['free']],
  ['abc', 'abc', '', '', ['abc']],
  ['0$', 'Free', '$', 'postfix', ['0']],
  [['0$', '20$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '20', '30']],
  [['10', '20'], '$10 – $20', '', '', ['10', '20']],
  ['10-20', '$10 – $20', '', '', ['10', '20']],
  ['$10 - $20', '$10 – $20', '', '', ['10', '20']],
  ['€6.50 - €8.50', '€6.50 – €8.50', '', '', ['6.50', '8.50']],
  [['6,50 €', '8,50 €'], '6,50 € – 8,50 €', '', '', ['6.50', '8.50']],
  ['5,50 7,50', '$5,50 – $7,50', '', '', ['5.50', '7.50']],
  ['USD 20', 'USD20', 'USD', 'prefix', ['20']],
  [true, '$1', '', '', ['1']],
  ['1,000.50', '$1000.50', '', '', ['1000.50']],
  ['<b>20</b> & more', '20 &amp; more', '& more', 'postfix', ['20']],
];

describe.each(DATABASES)('cost of events on %s', (kind) => {
  const server = useTestServer(kind);

  it.each(COSTS)('%j reads %s', async (sent, cost, symbol, position, values) => {
    const details = { currency_symbol: symbol, currency_code: '', currency_position: position, values };
    const made = await server().make('POST /events', { ...BASE, cost: sent });
    expect([made.cost, made.cost_details]).toEqual([cost, details]);
    const { body } = await server().ask('GET /events', { query: { include: made.id } });
    expect([body.events[0].cost, body.events[0].cost_details]).toEqual([cost, details]);
  });

  it.each([[0], ['0'], [''], [[]], [null], [false]])('%j is no cost on create', async (sent) => {
    const made = await server().make('POST /events', { ...BASE, cost: sent });
    expect([made.cost, made.cost_details.values]).toEqual(['', []]);
  });

  it.each([
    [0, 'Free', ['0']],
    ['0', 'Free', ['0']],
    ['', '', []],
    [[], '', []],
    [null, '', []],
    ['$5', '$5', ['5']],
  ])('%j on update reads %j', async (sent, cost, values) => {
    const made = await server().make('POST /events', { ...BASE, cost: '20€' });
    const changed = await server().make(`PATCH /events/${made.id}`, { cost: sent });
    expect([changed.cost, changed.cost_details.values]).toEqual([cost, values]);
    expect(changed.cost_details.currency_symbol).toBe(sent === '$5' ? '$' : '');
  });

  it.each([
    ['12', '12\u00a0€'],
    ['10 - 20', '10\u00a0€ – 20\u00a0€'],
    ['$12', '$12'],
  ])('on a site that writes euros behind the amount, %j reads %s', async (cost, shown) => {
    const { config } = server().context;
    server().restart({ languages: ['fr', 'en'], currency: 'EUR', currencySymbol: '€' });
    const made = await server().make('POST /events', { ...BASE, cost });
    server().restart(config);
    expect(made.cost).toBe(shown);
  });

  it('names a cost of nothing in French', async () => {
    const made = await server().make('POST /events', { ...BASE, cost: '0$' });
    const { body } = await server().ask(`GET /events/${made.id}`, { query: { i18n_language: 'fr' } });
    expect(body.cost).toBe('Gratuit');
  });
});
