import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

describe.each(DATABASES)('events on %s', (kind) => {
  const server = useTestServer(kind);

  it('is created, found in the list, changed and removed', async () => {
    const { make, ask } = server();
    const made = await make('POST /events', {
      title: 'Harvest Walk',
      start_date: '2027-09-14 10:00:00',
      end_date: '2027-09-14 12:30:00',
      venue: { venue: 'Town Green', city: 'Salem' },
    });
    expect(made).toMatchObject({ title: 'Harvest Walk', slug: 'harvest-walk', venue: { city: 'Salem' } });
    const list = await ask('GET /events', { query: { start_date: '2027-09-01', end_date: '2027-09-30' } });
    expect(list.body).toMatchObject({ total: 1, events: [{ id: made.id }] });
    const changed = await make(`PATCH /events/${made.id}`, { title: 'Harvest Hike' });
    expect(changed).toMatchObject({ title: 'Harvest Hike', slug: 'harvest-walk', venue: { city: 'Salem' } });
    expect((await ask(`DELETE /events/${made.id}`, { as: 'administrator' })).body.status).toBe('trash');
    expect((await ask(`DELETE /events/${made.id}`, { as: 'administrator' })).status).toBe(410);
  });
});
