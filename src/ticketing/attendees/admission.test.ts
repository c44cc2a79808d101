import { describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { ORDER_STATUSES } from '../orders/statuses.ts';
import { isAdmitted, isAdmittedSql } from './admission.ts';

describe.each(DATABASES)('the rule for admission on %s', (kind) => {
  const server = useTestServer(kind);

  it('is the same in TypeScript and in SQL for every status', async () => {
    const { id } = await makeAttendee(server(), await makeRsvp(server(), await makeEvent(server())));
    const { query } = server().context.db;
    for (const attendance_status of ['yes', 'no', '', ...ORDER_STATUSES]) {
      for (const status of ['publish', 'trash']) {
        const row = { status, attendance_status };
        await query.updateTable('attendees').set(row).where('id', '=', id).execute();
        const admitted = await query.selectFrom('attendees').select('id').where(isAdmittedSql).execute();
        expect({ ...row, isAdmitted: admitted.length === 1 }).toEqual({ ...row, isAdmitted: isAdmitted(row) });
      }
    }
  });
});
