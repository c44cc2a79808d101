import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import type { Database } from '../../db/database.ts';
import { readSiteSettings } from '../../db/site-settings.ts';
import { hasEventRights, type OwnedEvent } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, clearable, integer } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { addSeconds } from '../../lib/dates/dates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange } from '../../platform/audit/log.ts';
import { findOwners } from '../tickets/event-scope.ts';
import { REMINDER_SECONDS } from './write-reminders.ts';

/** Whether the holders of an event's tickets are reminded of it the day before. */

const reminderSchema = z
  .object({
    event_id: z.int(),
    own: z.boolean().nullable().describe('Choice for this event; null leaves it to the site.'),
    is_on: z.boolean().describe('Whether holders are reminded.'),
    due_utc: utcTime.describe('Time of the reminder.'),
  })
  .meta({ id: 'EventReminder', description: 'Reminder of an event by mail, the day before.' });

const eventId = integer('Id of the event.', { min: 1 });

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'admin',
  path: '/events/{id}/reminder',
  required: ['id'],
  find: async ({ id }: { id?: number }, ctx: RequestContext): Promise<{ events: OwnedEvent[] }> => ({
    events: id === undefined ? [] : await findOwners(ctx, [id]),
  }),
  may: (viewer: RequestContext['viewer'], target: { events: OwnedEvent[] } | undefined) =>
    hasEventRights(viewer, 'manage_attendees', target),
  responses: { 200: reminderSchema },
  errors: ['rest_forbidden', 'rest-event-not-found'],
} as const;

const read = endpoint({
  ...shared,
  methods: ['GET'],
  name: 'event_reminders.read',
  summary: 'Read whether the holders of an event’s tickets are reminded',
  input: { id: eventId },
  handle: async (ctx, { id }) => ok(await reminderOf(ctx, id), PRIVATE_NO_STORE),
});

const update = endpoint({
  ...shared,
  methods: ['PUT', 'PATCH', 'POST'],
  name: 'event_reminders.update',
  summary: 'Choose whether the holders of an event’s tickets are reminded',
  description: 'For users who manage the attendees of the event. `sends_reminders` of the site is the default.',
  input: { id: eventId, own: clearable(boolean('Choice for this event; null leaves it to the site.')) },
  body: 'EventReminderInput',
  async handle(ctx, { id, own }) {
    await reminderOf(ctx, id);
    if (own !== undefined) await choose(ctx, id, own);
    return ok(await reminderOf(ctx, id), PRIVATE_NO_STORE);
  },
});

/** The choice in the log of the event. */
const auditedReminder: AuditedKind = {
  name: 'event',
  async snapshot(db, id) {
    const event = await findEvent(db, id);
    return event && { title: event.title, revision: event.revision, fields: { reminder: await findOwn(db, id) } };
  },
};

const choose = ({ context: { db }, actor }: RequestContext, event_id: number, own: boolean | null): Promise<unknown> =>
  db.transaction((trx) =>
    logChange<unknown>(trx, actor, { kind: auditedReminder, id: event_id }, () => {
      if (own === null) return trx.query.deleteFrom('event_reminders').where('event_id', '=', event_id).execute();
      const is_on = own ? (1 as const) : (0 as const);
      return trx.query
        .insertInto('event_reminders')
        .values({ event_id, is_on })
        .onConflict((conflict) => conflict.column('event_id').doUpdateSet({ is_on }))
        .execute();
    }),
  );

/** The choice for an event; null leaves it to the site. */
async function findOwn({ query }: Database, event: number): Promise<boolean | null> {
  const row = await query
    .selectFrom('event_reminders')
    .select('is_on')
    .where('event_id', '=', event)
    .executeTakeFirst();
  return row ? row.is_on === 1 : null;
}

/** @throws {ApiError} rest-event-not-found */
async function reminderOf({ context: { db } }: RequestContext, id: number): Promise<z.output<typeof reminderSchema>> {
  const event = await findEvent(db, id);
  if (!event || event.status === 'trash') throw new ApiError('rest-event-not-found');
  const own = await findOwn(db, id);
  return {
    event_id: id,
    own,
    is_on: own ?? (await readSiteSettings(db)).sends_reminders,
    due_utc: addSeconds(event.utc_start_date, -REMINDER_SECONDS),
  };
}

export const eventReminderEndpoints: readonly AnyEndpoint[] = [read, update];
