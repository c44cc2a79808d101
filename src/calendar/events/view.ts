import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { mayEdit, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import type { Urls } from '../../http/core/urls.ts';
import { additions, dayText, link, localTime, utcTime } from '../../http/output/output.ts';
import { dateDetails } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { type LinkedKind, perLinkedKind } from '../../lib/linked-kinds.ts';
import { type CostPosition, renderCost } from '../../lib/money/cost.ts';
import { type MoneyFormat, siteMoney } from '../../lib/money/money.ts';
import { imageSchema, renderImage } from '../../platform/media/images.ts';
import { translationsSchema } from '../../platform/translations/rules.ts';
import { type LinkedOfEvent, linkedPostKinds } from '../linked-kinds/registry.ts';
import type { LinkedPost } from '../linked-posts/store.ts';
import { renderLinkedPost } from '../linked-posts/view.ts';
import { costDetailsSchema, dateDetailsSchema } from '../posts/detail-schemas.ts';
import { isUnfinished, ownedAs } from '../posts/post.ts';
import { globalId, globalIdSchema, postSchema, renderPost } from '../posts/view.ts';
import type { Term } from '../terms/store.ts';
import { nestedTermSchema, renderNestedTerm } from '../terms/view.ts';
import { attendanceSchema, renderAttendance } from './attendance.ts';
import { flagMember, MEMBERS, PLAIN_MASK, renderDetails, renderStatusFlags, renderTexts } from './event-fields.ts';
import { EVENT_STATUSES, previousStart } from './event-status.ts';
import { eventJsonLd } from './json-ld.ts';
import type { EventRelations } from './relations.ts';
import type { Event } from './store.ts';
import { costOfTickets, ticketedBy } from './ticketing.ts';

/** Linked records of one kind; rendered by `linksOf`. */
function linkedSchema(kind: LinkedKind) {
  const { schema, inEvents } = linkedPostKinds[kind];
  if (!inEvents.isUnwrapped) return z.array(schema);
  return z.union([schema, z.array(schema)]).describe(`\`[]\` for none, an object for one ${kind}, a list for several.`);
}

/** Always present, except under `/wp-json/tribe`, where the default is omitted. */
const statusSchema = {
  event_status: z
    .enum(EVENT_STATUSES)
    .optional()
    .describe('Whether it takes place as announced; absent for `scheduled`.'),
  event_status_reason: z.string().optional().describe('Plain text; absent if empty.'),
  previous_start_date: localTime.nullable().optional().describe('Original start of a rescheduled event.'),
};

type StatusMembers = Required<z.output<z.ZodObject<typeof statusSchema>>>;

export const recurrenceSchema = z
  .object({
    rrule: z.string().describe('Rule of RFC 5545; empty for single days alone.'),
    text: z.string().describe('The recurrence in words, in the language of the response.'),
  })
  .meta({ id: 'RecurrenceText' });

/** Members of single reads of an occurrence. */
const occurrenceMembers = {
  series: z
    .object({
      id: z.int(),
      url: link,
      rest_url: link,
      recurrence_id: dayText.describe('Day that the rule gave it, also after it was moved.'),
      position: z.int().describe('Its number among the events of the series that the user may see, from 1.'),
      own_fields: z
        .array(z.string())
        .optional()
        .describe('Fields that were changed for it alone, `title@fr` in French; only for users who may edit it.'),
    })
    .meta({ id: 'SeriesOfEvent' })
    .optional()
    .describe('Only for an occurrence of a series, in single reads.'),
  recurrence: recurrenceSchema.optional().describe('Only for an occurrence of a series, in single reads.'),
};

/** Event in all responses; rendered by `renderEvent`. */
export const eventSchema = z
  .object({
    ...{ id: postSchema.id, ...globalIdSchema, author: postSchema.author, status: postSchema.status },
    trashed_from: postSchema.trashed_from,
    ...{
      date: postSchema.date,
      date_utc: postSchema.date_utc,
      modified: postSchema.modified,
      modified_utc: postSchema.modified_utc,
      revision: postSchema.revision,
    },
    url: link,
    rest_url: link,
    ...MEMBERS.texts,
    slug: z.string(),
    image: z.union([z.literal(false), imageSchema]),
    all_day: flagMember,
    start_date: localTime,
    start_date_details: dateDetailsSchema,
    end_date: localTime,
    end_date_details: dateDetailsSchema,
    utc_start_date: utcTime,
    utc_start_date_details: dateDetailsSchema,
    utc_end_date: utcTime,
    utc_end_date_details: dateDetailsSchema,
    timezone: z.string().meta({ examples: ['Europe/Paris'] }),
    timezone_abbr: z.string(),
    cost: z.string().meta({ examples: ['$5 – $10'] }),
    cost_details: costDetailsSchema,
    ...MEMBERS.details,
    ...statusSchema,
    ...MEMBERS.status,
    ...attendanceSchema,
    categories: z.array(nestedTermSchema),
    tags: z.array(nestedTermSchema),
    ...(perLinkedKind(linkedSchema) as { [K in LinkedKind]: z.ZodType<LinkedOfEvent<K>> }),
    custom_fields: z.array(z.unknown()).max(0).describe('Always empty.'),
    ...occurrenceMembers,
    copied_from: z.int().optional().describe('Event of which a draft is a copy; only for users who may edit it.'),
    translations: translationsSchema.optional(),
    json_ld: z.record(z.string(), z.unknown()).optional().describe('schema.org; single reads only.'),
    attendance: z
      .object({
        total_attendees: z.int(),
        checked_in: z.int(),
        not_checked_in: z.int(),
        declined: z.int().describe('RSVPs with the answer no, which `total_attendees` and `not_checked_in` include.'),
      })
      .optional()
      .describe('Only for users who may read attendees.'),
    ticketed: z
      .union([z.literal(false), z.array(z.string())])
      .nullable()
      .describe('Providers with tickets for the event.'),
    takes_codes: z
      .literal(true)
      .optional()
      .describe(
        'Present if a promotion code may open or reduce tickets of the event; single reads only. Absent under `/wp-json/tribe`.',
      ),
  })
  .meta({ id: 'Event', description: 'An event.' });

export interface RenderOptions {
  urls: Urls;
  viewer: Viewer;
  /** Returns the money format of the site, which is made when a price first needs it. */
  format: () => MoneyFormat;
  /** The word for "free" in the language of the response. */
  free: string;
  /** With schema.org and `takes_codes`. */
  isSingle?: boolean;
  /** Whether the event is locked for the reader. */
  masked?: boolean;
}

/** Rendering options for the viewer. */
export const renderOptions = ({ urls, viewer, context, language }: RequestContext): RenderOptions => ({
  urls,
  viewer,
  format: () => siteMoney(context.config),
  free: translate(language, 'label.free'),
});

/** Renders an event in the language of the request. */
export function renderEvent(
  stored: Event,
  relations: EventRelations,
  options: RenderOptions,
): z.output<typeof eventSchema> {
  const { urls } = options;
  const event = relations.texts.show('event', stored);
  const { url, ...post } = renderPost('event', event, urls);
  const tickets = relations.ticketing.tickets.get(event.id) ?? [];
  const cost = costOfTickets(tickets, costOf(event, options), options);
  const { id, author, ...dates } = post;
  const members = {
    id,
    ...globalId(event.id, urls),
    author,
    ...dates,
    url,
    rest_url: urls.rest('events', `/events/${event.id}`),
    ...renderTexts(event),
    slug: event.slug,
    image: imageOf(event, relations, urls),
    all_day: event.all_day === 1,
    ...timesOf(event),
    ...cost,
    ...renderDetails(event),
    ...statusOf(event, options),
    ...(!urls.isReference && !options.masked && renderStatusFlags(event)),
    ...renderAttendance(event, options),
    ...linksOf(event, relations, urls),
    custom_fields: [],
  };
  if (options.masked) return { ...members, ...MASK };
  const isShown = options.isSingle && event.status === 'publish';
  const json_ld = isShown ? eventJsonLd(event, relations, { ...options, cost }) : undefined;
  const attendance = relations.ticketing.attendance.get(event.id);
  const isEditor = mayEdit(options.viewer, ownedAs(event));
  const translations = isEditor ? relations.texts.coverage('event', stored) : undefined;
  const isCopy = isEditor && isUnfinished(event.status) && !urls.isReference;
  return {
    ...members,
    ...(isCopy && event.copied_from !== null && { copied_from: event.copied_from }),
    ...(translations && { translations }),
    ...(json_ld && { json_ld }),
    ...(attendance && { attendance }),
    ticketed: ticketedBy(tickets),
    ...(options.isSingle &&
      !urls.isReference &&
      relations.ticketing.takingCodes.has(event.id) && { takes_codes: true as const }),
  };
}

/**
 * Replacement values for the masked members of an event. event-filters.ts derives from them which filters exclude locked events.
 */
export const MASK = {
  ...PLAIN_MASK,
  image: false as const,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '' as const, values: [] },
  categories: [],
  tags: [],
  ...perLinkedKind(() => []),
  ticketed: null,
} satisfies Partial<z.output<typeof eventSchema>>;

/** Removes the masked members from a copy of an event, so that sending it back does not overwrite the real values. */
export function withoutMask(copy: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // `ticketed` is null in masked responses only.
  if (copy.ticketed !== MASK.ticketed) return copy;
  const isMask = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(MASK, name) && isDeepStrictEqual(value, MASK[name as keyof typeof MASK]);
  return Object.fromEntries(Object.entries(copy).filter((member) => !isMask(member)));
}

function imageOf({ image_id }: Event, { images, rendered }: EventRelations, urls: Urls) {
  const row = image_id === null ? undefined : images.get(image_id);
  return row ? once(rendered, row, () => renderImage(row, urls)) : (false as const);
}

/** Renders a record at its first use; each is always rendered by the same function. */
function once<T>(rendered: EventRelations['rendered'], record: object, render: () => T): T {
  const made = (rendered.get(record) as T | undefined) ?? render();
  rendered.set(record, made);
  return made;
}

const timesOf = (event: Event) => ({
  start_date: event.start_date,
  start_date_details: dateDetails(event.start_date),
  end_date: event.end_date,
  end_date_details: dateDetails(event.end_date),
  utc_start_date: event.utc_start_date,
  utc_start_date_details: dateDetails(event.utc_start_date),
  utc_end_date: event.utc_end_date,
  utc_end_date_details: dateDetails(event.utc_end_date),
  timezone: event.timezone,
  timezone_abbr: event.timezone_abbr,
});

/** Status members of an event that takes place as announced. */
const SCHEDULED: StatusMembers = { event_status: 'scheduled', event_status_reason: '', previous_start_date: null };

/** A password hides the reason, but not when and whether the event takes place. */
const statusOf = (event: Event, { urls, masked }: RenderOptions) =>
  additions<StatusMembers>(
    {
      event_status: event.event_status,
      event_status_reason: masked ? '' : event.event_status_reason,
      previous_start_date: previousStart(event),
    },
    SCHEDULED,
    urls,
  );

function costOf(event: Event, { format, free }: RenderOptions) {
  // Written by `endpoints/save.ts` from the result of `readCostInput`.
  const values = JSON.parse(event.cost) as string[];
  const position = event.currency_position as CostPosition;
  const shown = renderCost({ values, symbol: event.currency_symbol, position }, { format, free });
  return {
    cost: shown.cost,
    cost_details: {
      currency_symbol: event.currency_symbol,
      currency_code: event.currency_code,
      currency_position: position,
      values: shown.values,
    },
  };
}

function linksOf({ id }: Event, relations: EventRelations, urls: Urls) {
  const picture = ({ image_id }: LinkedPost) => (image_id === null ? undefined : relations.images.get(image_id));
  const termOf = (term: Term) => once(relations.rendered, term, () => renderNestedTerm(term, urls));
  const linkedOf = (name: LinkedKind): unknown => {
    const kind = linkedPostKinds[name];
    const posts = relations.linked[name].get(id) ?? [];
    const rendered = posts.map((post) =>
      once(relations.rendered, post, () => renderLinkedPost(kind, post, { urls, image: picture(post) })),
    );
    return kind.inEvents.isUnwrapped && rendered.length === 1 ? rendered[0] : rendered;
  };
  return {
    categories: (relations.categories.get(id) ?? []).map(termOf),
    tags: (relations.tags.get(id) ?? []).map(termOf),
    // The records have the shape of `linkedSchema`.
    ...(perLinkedKind(linkedOf) as { [K in LinkedKind]: LinkedOfEvent<K> }),
  };
}
