import { z } from 'zod';
import { type AnyEndpoint, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, clearable, integer, oneOf, texts, url, withDefault } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { type EndpointOf, inProcessContext } from '../../platform/users/in-process-context.ts';
import { calendarAddress } from '../ical/fetch-calendar.ts';
import { addressOf, IMPORT_STATUSES, mayImport } from '../runs/run-input.ts';
import { auditedSubscription } from './audited.ts';
import {
  categoriesOf,
  changeSubscription,
  countsOf,
  findByAddress,
  findSubscription,
  listSubscriptions,
  MAX_HOURS,
  MIN_HOURS,
  removeSubscription,
  type Subscription,
  subscribe,
} from './store.ts';

/** Calendars that the site reads regularly. */

const subscriptionSchema = z
  .object({
    id: z.int(),
    address: z.string(),
    status: z.enum(IMPORT_STATUSES).describe('Status of its new events.'),
    categories: z.array(z.string()).describe('Categories of its events.'),
    hours: z.int().describe('Hours between two reads.'),
    paused: z.boolean(),
    created_utc: utcTime,
    due_utc: utcTime.describe('Time of the next read.'),
    checked_utc: utcTime.nullable().describe('Last read; null before the first one.'),
    succeeded_utc: utcTime.nullable().describe('Last read that succeeded.'),
    failures: z.int().describe('Failed reads since then.'),
    problem: z.string().describe('Sentence about the problem, in English; empty without one.'),
    counts: z
      .record(z.string(), z.record(z.string(), z.int()))
      .describe('Numbers of records of the last import, by outcome and kind.'),
  })
  .meta({ id: 'Subscription', description: 'A calendar that the site reads regularly, and the last result.' });

type SubscriptionBody = z.output<typeof subscriptionSchema>;

function render(subscription: Subscription): SubscriptionBody {
  const { id, address, hours, created_utc, due_utc, checked_utc, succeeded_utc, failures, problem } = subscription;
  return {
    ...{ id, address, hours, paused: subscription.is_paused === 1, created_utc, due_utc, checked_utc, succeeded_utc },
    // Written by `subscribe`.
    ...{ status: subscription.status as SubscriptionBody['status'], categories: categoriesOf(subscription) },
    ...{ failures, problem, counts: countsOf(subscription) },
  };
}

const choices = {
  status: oneOf('Status of its new events.', IMPORT_STATUSES),
  categories: clearable(texts('Names of categories of its events.', { max: 20, maxLength: 100 })),
  hours: integer('Hours between two reads.', { min: MIN_HOURS, max: MAX_HOURS }),
};

const subscriptionId = integer('Id of the subscription.', { min: 1 });

/** @throws {ApiError} subscription-not-found */
async function getSubscription({ context }: RequestContext, id: number): Promise<Subscription> {
  const found = await findSubscription(context.db, id);
  if (!found) throw new ApiError('subscription-not-found');
  return found;
}

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/imports/subscriptions',
  name: 'subscriptions.list',
  summary: 'List the calendars that the site subscribes to',
  input: { ...pageFields, paused: boolean('true: only paused ones; false: only the others.') },
  responses: { 200: listSchema('subscriptions', subscriptionSchema, 'SubscriptionList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: mayImport,
  async handle({ context, urls }, { paused, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    // There are few of them.
    const all = (await listSubscriptions(context.db)).filter(
      (one) => paused === undefined || (one.is_paused === 1) === paused,
    );
    const shown = all.slice(page.offset, page.offset + page.perPage);
    return listResponse({
      ...{ key: 'subscriptions', items: shown.map(render), total: all.length, page },
      ...{ url: urls.rest('admin', '/imports/subscriptions'), params: { per_page: page.perPage, paused } },
    });
  },
});

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/imports/subscriptions',
  name: 'subscriptions.create',
  summary: 'Subscribe to a calendar',
  description: 'It is read within a few minutes, and then regularly. Its address must be public.',
  input: {
    address: url('Web address of a calendar in the format iCalendar.'),
    ...{ ...choices, status: withDefault(choices.status, 'publish'), hours: withDefault(choices.hours, 4) },
  },
  required: ['address'],
  body: 'SubscriptionInput',
  responses: { 201: subscriptionSchema },
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'subscription-exists'],
  may: mayImport,
  async handle(ctx, { address: given, status = 'publish', categories, hours = 4 }) {
    const address = addressOf(() => calendarAddress(given));
    const made = await ctx.context.db.transaction(async (db) => {
      await db.dialect.lock(db, 'subscriptions');
      if (await findByAddress(db, address)) throw new ApiError('subscription-exists');
      const values = { address, status, hours, categories: categories ?? [], now: toUtc(ctx.now) };
      const subscription = await subscribe(db, values);
      await logCreation(db, ctx.actor, { kind: auditedSubscription, id: subscription.id });
      return subscription;
    });
    return created(render(made), PRIVATE_NO_STORE);
  },
});

const update = endpoint({
  namespace: 'admin',
  methods: ['PATCH'],
  path: '/imports/subscriptions/{id}',
  name: 'subscriptions.update',
  summary: 'Change or pause a subscription',
  description: 'Omitted fields keep their values. A subscription that is resumed is read within a few minutes.',
  input: { id: subscriptionId, ...choices, paused: boolean('true: stops reading the calendar; false: resumes it.') },
  required: ['id'],
  body: 'SubscriptionChange',
  responses: { 200: subscriptionSchema },
  errors: ['rest_forbidden', 'subscription-not-found'],
  may: mayImport,
  async handle(ctx, { id, status, categories, hours, paused }) {
    const { db } = ctx.context;
    await getSubscription(ctx, id);
    await db.transaction((trx) =>
      logChange(trx, ctx.actor, { kind: auditedSubscription, id }, () =>
        changeSubscription(trx, id, {
          ...(status !== undefined && { status }),
          ...(hours !== undefined && { hours }),
          // A new choice also applies to events that the calendar had before, so it is read completely again.
          ...(categories !== undefined && { categories: JSON.stringify(categories ?? []), etag: '' }),
          ...(paused !== undefined && { is_paused: paused ? 1 : 0 }),
          ...(paused === false && { due_utc: toUtc(ctx.now) }),
        }),
      ),
    );
    return ok(render(await getSubscription(ctx, id)), PRIVATE_NO_STORE);
  },
});

const remove = (endpointOf: EndpointOf) =>
  endpoint({
    namespace: 'admin',
    methods: ['DELETE'],
    path: '/imports/subscriptions/{id}',
    name: 'subscriptions.delete',
    summary: 'End a subscription',
    description:
      'Its events stay, unless `trash` is true. If moving them fails, the subscription stays paused; repeating the request continues.',
    input: {
      id: subscriptionId,
      trash: boolean('true: moves coming events to the trash, except events with sold or held tickets.'),
    },
    required: ['id'],
    responses: {
      200: subscriptionSchema
        .extend({
          trashed: z.int().describe('Number of events and series moved to the trash.'),
          kept: z.int().describe('Number of events and series that stay because of their tickets.'),
        })
        .meta({ id: 'EndedSubscription', description: 'A subscription that has ended.' }),
    },
    errors: ['rest_forbidden', 'subscription-not-found'],
    // Moving many events takes several transactions.
    idempotency: 'recorded',
    may: mayImport,
    async handle(ctx, { id, trash = false }) {
      const { db } = ctx.context;
      const subscription = await getSubscription(ctx, id);
      const { withdrawn: trashed, sold: kept } = trash
        ? await (await import('./withdraw.ts')).withdrawAll(subscription, inProcessContext(ctx, endpointOf))
        : { withdrawn: 0, sold: 0 };
      await db.transaction((trx) =>
        logChange(trx, ctx.actor, { kind: auditedSubscription, id }, () => removeSubscription(trx, id)),
      );
      return ok({ ...render(subscription), trashed, kept }, PRIVATE_NO_STORE);
    },
  });

/** @param endpointOf events go to the trash through their own endpoint */
export const subscriptionEndpoints = (endpointOf: EndpointOf): readonly AnyEndpoint[] => [
  list,
  create,
  update,
  remove(endpointOf),
];
