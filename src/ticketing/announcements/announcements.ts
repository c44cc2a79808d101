import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { findEvent } from '../../calendar/events/store.ts';
import { AUDIENCES } from '../../db/tables/platform.ts';
import { hasEventRights, type OwnedEvent } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import {
  boolean,
  clearable,
  ids,
  integer,
  oneOf,
  plainBlock,
  plainLine,
  withDefault,
} from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { addSeconds, secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { ANNOUNCEMENT_KINDS } from '../../lib/mail-kinds.ts';
import { logCreation } from '../../platform/audit/log.ts';
import { type Counted, pointsOf, tooMany, withinLimits } from '../../platform/limits/limits.ts';
import { countedMails } from '../../platform/users/counted-mails.ts';
import { findOwners } from '../tickets/event-scope.ts';
import { type Addressed, countRecipients } from './recipients.ts';
import {
  type Announcement,
  auditedAnnouncement,
  countMails,
  findRecentTimes,
  insertAnnouncement,
  isTrueOf,
  listAnnouncements,
  type NewAnnouncement,
} from './store.ts';
import { enqueueAnnouncement } from './write-mails.ts';

/** Mails that staff write to the holders of an event's tickets. */

const MAX_SUBJECT = 200;
const MAX_TEXT = 5000;
const MAX_TICKETS = 100;

/** Announcements of staff for an event within a day. */
export const MAX_PER_EVENT = 10;
const DAY = 86_400;

const announcementSchema = z
  .object({
    id: z.int(),
    event_id: z.int(),
    kind: z.enum([...ANNOUNCEMENT_KINDS, 'reminder']),
    subject: z.string().describe('Empty for the default subject of its kind.'),
    text: z.string(),
    audience: z.enum(AUDIENCES),
    tickets: z.array(z.int()).describe('Ids of the tickets, for the audience `tickets`.'),
    user: z.int().describe('Account that made it; 0 for the server itself.'),
    is_running: z.boolean().describe('Whether mails are still being written.'),
    recipients: z.int().describe('Number of mails written so far.'),
    queued: z.int(),
    sent: z.int(),
    held: z.int(),
    failed: z.int().describe('Including those that came back.'),
    created_utc: utcTime,
  })
  .meta({ id: 'Announcement', description: 'A mail to the holders of an event’s tickets, and what became of it.' });

const previewSchema = z
  .object({
    event_id: z.int(),
    recipients: z.int().describe('Number of addresses that would get it.'),
    subject: z.string(),
    text: z.string().describe('Plain text of the mail.'),
    html: z.string(),
  })
  .meta({ id: 'AnnouncementPreview', description: 'Preview of an announcement, which is not sent.' });

/**
 * Renders an announcement in a language. With `isAskedFor`, it is rendered even if it is no longer true of the event.
 */
export type RenderAnnouncement = (
  context: Context,
  announcement: Pick<Announcement, 'event_id' | 'kind' | 'subject' | 'body'>,
  options: { origin: string; language: string; isAskedFor: boolean },
) => Promise<{ subject: string; text: string; html: string } | undefined>;

const eventId = integer('Id of the event.', { min: 1 });

interface Target {
  events: OwnedEvent[];
}

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'admin',
  path: '/events/{id}/announcements',
  required: ['id'],
  find: async ({ id }: { id?: number }, ctx: RequestContext): Promise<Target> => ({
    events: id === undefined ? [] : await findOwners(ctx, [id]),
  }),
} as const;

const list = endpoint({
  ...shared,
  methods: ['GET'],
  name: 'announcements.list',
  summary: 'List the announcements to the holders of an event’s tickets',
  description: 'Latest first, reminders included. For users who manage the attendees of the event.',
  input: { id: eventId, ...pageFields },
  responses: { 200: listSchema('announcements', announcementSchema, 'AnnouncementList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'rest-event-not-found'],
  may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
  async handle(ctx, { id, ...paging }) {
    const { context, urls } = ctx;
    await requireEvent(ctx, id);
    const page = pageOf(paging, context.config.perPage);
    const options = { limit: page.perPage, offset: page.offset };
    const { announcements, total } = await listAnnouncements(context.db, id, options);
    const url = urls.rest('admin', `/events/${id}/announcements`);
    return listResponse({
      ...{ key: 'announcements', items: await renderAll(ctx, announcements), total, page, url },
      params: { per_page: page.perPage },
    });
  },
});

const create = (render: RenderAnnouncement) =>
  endpoint({
    ...shared,
    methods: ['POST'],
    name: 'announcements.create',
    summary: 'Write to the holders of an event’s tickets',
    description: `Each address gets one mail, in the language of its order. Mails are sent in the background. Replies go to the organizer of the event, if the organizer’s e-mail address is known. For an event of a series, only the holders of tickets for this event get it. At most ${MAX_PER_EVENT} for an event within a day. Accounts that do not manage the attendees of all events also have a limit on mails (\`too-many-mails\`).`,
    input: {
      id: eventId,
      kind: withDefault(
        oneOf(
          '`announcement`: only the text. `event_moved`, `event_postponed`, `event_cancelled`: also says what has become of the event, which must have that status; one that has moved is neither cancelled nor postponed.',
          ANNOUNCEMENT_KINDS,
        ),
        'announcement',
      ),
      subject: clearable(plainLine('Subject; each kind has a usual one.', { max: MAX_SUBJECT })),
      text: clearable(plainBlock('Plain text; required for the kind `announcement`.', { max: MAX_TEXT })),
      audience: withDefault(
        oneOf(
          '`all`: everyone with a place. `tickets`: holders of certain tickets. `not_checked_in`: who is not checked in.',
          AUDIENCES,
        ),
        'all',
      ),
      tickets: ids('Ids of tickets of the event, for the audience `tickets`.'),
      dry_run: boolean('true: only say how many would get it, and show it.'),
    },
    body: 'AnnouncementInput',
    responses: { 200: previewSchema, 201: announcementSchema },
    errors: [
      'rest_forbidden',
      'rest-event-not-found',
      'event-status-differs',
      'too-many-announcements',
      'too-many-mails',
    ],
    may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
    async handle(ctx, { id, kind = 'announcement', subject, text, audience = 'all', tickets = [], dry_run = false }) {
      const { context, viewer, now, urls, language } = ctx;
      const { event_status } = await requireEvent(ctx, id);
      if (text == null && kind === 'announcement') throw invalidParam('text', 'param.filled_text');
      if (!dry_run && !isTrueOf(kind, event_status)) throw new ApiError('event-status-differs');
      const ticketIds = audience === 'tickets' ? await requireTickets(ctx, id, tickets) : [];
      const announcement = { event_id: id, kind, subject: subject ?? '', body: text ?? '', audience };
      const addressed = { ...announcement, ticketIds, until_id: Number.MAX_SAFE_INTEGER, created_utc: toUtc(now) };
      if (dry_run) {
        const recipients = await countRecipients(context.db, addressed);
        const rendering = { origin: context.config.url ?? urls.origin, language, isAskedFor: true };
        const { subject, text, html } = assertFound(await render(context, announcement, rendering));
        return ok({ event_id: id, recipients, subject, text, html }, PRIVATE_NO_STORE);
      }
      const key = `event-${id}-${context.random(8).toString('hex')}`;
      const user_id = viewer.account?.id ?? 0;
      const made = await withinLimits(context, 'too-many-mails', await announcedMails(ctx, addressed), () =>
        makeAnnouncement(ctx, { ...announcement, key, user_id, ticketIds, now: toUtc(now) }),
      );
      return created(assertFound((await renderAll(ctx, [made]))[0]), PRIVATE_NO_STORE);
    },
  });

/** @throws {ApiError} rest-event-not-found */
async function requireEvent({ context }: RequestContext, id: number) {
  const event = await findEvent(context.db, id);
  if (!event || event.status === 'trash') throw new ApiError('rest-event-not-found');
  return event;
}

/** @throws {InvalidParams} for tickets of other events, and for an empty list */
async function requireTickets({ context }: RequestContext, event: number, tickets: readonly number[]) {
  const wanted = [...new Set(tickets)];
  const found =
    wanted.length === 0 || wanted.length > MAX_TICKETS
      ? []
      : await context.db.query
          .selectFrom('tickets')
          .select('id')
          .where('event_id', '=', event)
          .where('id', 'in', wanted)
          .execute();
  if (found.length === 0 || found.length < wanted.length) throw invalidParam('tickets', 'param.ticket_unknown');
  return wanted;
}

/** Mails of an announcement that count towards the limit of its account. */
async function announcedMails({ context, viewer }: RequestContext, addressed: Addressed): Promise<Counted[]> {
  const counted = countedMails(viewer);
  if (counted.length === 0 || pointsOf('mails-by-account', context.config) === Infinity) return [];
  const points = await countRecipients(context.db, addressed);
  return counted.map((one) => ({ ...one, points }));
}

/** @throws {ApiError} too-many-announcements */
const makeAnnouncement = ({ context: { db }, actor, now }: RequestContext, announcement: NewAnnouncement) =>
  db.transaction(async (trx) => {
    const { event_id } = announcement;
    // Counts one request after the other.
    await trx.dialect.lock(trx, `announcements-${event_id}`);
    const utc = toUtc(now);
    const [first, ...others] = await findRecentTimes(trx, event_id, addSeconds(utc, -DAY));
    if (first !== undefined && others.length + 1 >= MAX_PER_EVENT)
      throw tooMany('too-many-announcements', {
        limit: MAX_PER_EVENT,
        seconds: secondsBetween(utc, addSeconds(first, DAY)),
      });
    const made = assertFound(await insertAnnouncement(trx, announcement));
    await logCreation(trx, actor, { kind: auditedAnnouncement, id: made.id });
    await enqueueAnnouncement(trx, made, now);
    return made;
  });

async function renderAll(
  { context }: RequestContext,
  announcements: readonly Announcement[],
): Promise<z.output<typeof announcementSchema>[]> {
  const counts = await countMails(
    context.db,
    announcements.map(({ id }) => id),
  );
  return announcements.map(({ id, event_id, kind, subject, body, audience, ticket_ids, ...rest }) => {
    const { queued = 0, sent = 0, held = 0, failed = 0, bounced = 0 } = counts.get(id) ?? {};
    return {
      ...{ id, event_id, kind, subject, text: body, audience },
      // Written by `insertAnnouncement`.
      tickets: JSON.parse(ticket_ids) as number[],
      user: rest.user_id,
      is_running: rest.done_utc === '',
      recipients: Number(rest.recipients),
      ...{ queued, sent, held, failed: failed + bounced },
      created_utc: rest.created_utc,
    };
  });
}

/** @param render announcements are rendered like pages, which are above this layer */
export const announcementEndpoints = (render: RenderAnnouncement): readonly AnyEndpoint[] => [list, create(render)];
