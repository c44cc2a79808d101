import { describe, expect, it } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import { migrate } from './migrate.ts';
import { getCalendarId } from './site-settings.ts';

describe.each(BOTH_DATABASES)('the id of a calendar on %s', (kind) => {
  const server = useTestServer(kind);

  it('is random and never changes', async () => {
    const { db } = server().context;
    const id = await getCalendarId(db);
    expect(id).toMatch(/^[\da-f]{32}$/);
    await migrate(db);
    expect(await getCalendarId(db)).toBe(id);
  });
});
