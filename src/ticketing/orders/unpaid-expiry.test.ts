import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { addSeconds } from '../../lib/dates/dates.ts';
import { ORDER_STATUSES } from './statuses.ts';
import { expiryOf, isUnpaidExpired } from './unpaid-expiry.ts';

const NOW = '2027-03-01 00:00:30';
/** Minutes. */
const HOLDS = [0, 1, 60];
const SECONDS_AGO = HOLDS.flatMap((hold) => [-1, 0, 1].map((second) => hold * 60 + second));
const EXPIRIES = [null, '', ...[-1, 0, 1].map((second) => addSeconds(NOW, second))];

const STATES = ORDER_STATUSES.flatMap((status) =>
  EXPIRIES.flatMap((expires_utc) =>
    SECONDS_AGO.map((seconds) => ({ status, expires_utc, modified_utc: addSeconds(NOW, -seconds) })),
  ),
);
const ORDERS = STATES.map((state, index) => ({ id: 10_000 + index, ...state }));

describe.each(DATABASES)('the rule for unpaid orders that expire on %s', (kind) => {
  const server = useTestServer(kind);

  it('is the same in TypeScript and in SQL for every status, expiry, last change and hold', async () => {
    const { query } = server().context.db;
    await query
      .insertInto('records')
      .values(ORDERS.map(({ id }) => ({ id, kind: 'order' as const })))
      .execute();
    const others = { gateway: 'manual', purchaser_name: '', purchaser_email: '', search_text: '', user_id: 0 };
    const times = { date: NOW, date_utc: NOW };
    await query
      .insertInto('orders')
      .values(ORDERS.map((order) => ({ ...order, ...others, ...times, currency: 'USD', total: 0 })))
      .execute();
    for (const hold of HOLDS) {
      const rows = await query
        .selectFrom('orders')
        .select('id')
        .where((eb) => isUnpaidExpired(eb, NOW, hold))
        .orderBy('id')
        .execute();
      const expired = ORDERS.filter((order) => (expiryOf(order, hold) ?? '9999') <= NOW);
      expect({ hold, ids: rows.map(({ id }) => id) }).toEqual({ hold, ids: expired.map(({ id }) => id) });
    }
  });
});
