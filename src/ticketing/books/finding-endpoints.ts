import { z } from 'zod';
import { FINDING_KINDS, FINDING_STATUSES } from '../../db/tables/book.ts';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText, integer, oneOf } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { amountSchema, renderAmount } from '../orders/amounts.ts';
import { closeFinding, type Finding, findFinding, mayReadFindings } from './findings.ts';

/** Findings of the reconciliation, for staff. */

const MAX_NOTE = 500;

const moneySchema = amountSchema.extend({ currency: z.string() });

const findingSchema = z
  .object({
    id: z.int(),
    kind: z
      .enum(FINDING_KINDS)
      .describe(
        '`missing-here`: the payment service has it, the ledger does not. `missing-at-service`: the opposite. `amount`: the amounts differ.',
      ),
    record: z.enum(['payment', 'refund']),
    gateway: z.string(),
    order: z.object({ id: z.int(), number: z.string() }).nullable().describe('null if the payment is not known here.'),
    payment_id: z.int().describe('Id of the payment at this site, as the payment service states it.'),
    refund_id: z.int().nullable().describe('null for payments, and for refunds that are not known here.'),
    external_id: z.string().nullable().describe('Id at the payment service; null if it has none.'),
    booked: moneySchema.nullable().describe('Amount in the ledger; null if it is missing there.'),
    settled: moneySchema.nullable().describe('Amount at the payment service; null if it is missing there.'),
    date_utc: utcTime.describe('Time of the payment or refund.'),
    status: z
      .enum(FINDING_STATUSES)
      .describe('`gone`: the difference no longer exists. `closed`: closed by staff, with a note.'),
    note: z.string().describe('Note with which it was closed; otherwise empty.'),
    user_id: z.int().describe('Account that closed it; otherwise 0.'),
    created_utc: utcTime,
    modified_utc: utcTime,
  })
  .meta({ id: 'Finding', description: 'A difference between the ledger and a payment service.' });

function renderFinding(finding: Finding, { context }: RequestContext): z.output<typeof findingSchema> {
  const { subject, order_id, booked, booked_currency, settled, settled_currency, ...rest } = finding;
  const money = (amount: number | null, currency: string) =>
    amount === null ? null : { currency, ...renderAmount(amount, siteMoney(context.config, currency)) };
  return {
    ...rest,
    record: subject === `payment-${finding.payment_id}` ? 'payment' : 'refund',
    order: order_id === null ? null : { id: order_id, number: orderNumber(order_id) },
    booked: money(booked, booked_currency),
    settled: money(settled, settled_currency),
  };
}

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/reconciliation',
  name: 'findings.list',
  summary: 'List the findings of the reconciliation',
  description:
    'Differences between the ledger and the payment services, newest first. Each day the server compares the last four days.',
  input: { ...pageFields, status: oneOf('Only findings with this status; `open` by default.', FINDING_STATUSES) },
  responses: { 200: listSchema('findings', findingSchema, 'FindingList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: mayReadFindings,
  async handle(ctx, { status = 'open', ...paging }) {
    const { context, urls } = ctx;
    const page = pageOf(paging, context.config.perPage);
    const matching = context.db.query.selectFrom('reconciliation_findings').where('status', '=', status);
    const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await matching.selectAll().orderBy('id', 'desc').limit(page.perPage).offset(page.offset).execute();
    return listResponse({
      key: 'findings',
      items: rows.map((row) => renderFinding(row, ctx)),
      total: Number(total),
      page,
      url: urls.rest('admin', '/reconciliation'),
      params: { per_page: page.perPage, status },
    });
  },
});

const close = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/reconciliation/{id}/close',
  name: 'findings.close',
  summary: 'Close a finding of the reconciliation',
  description: 'It is opened again if the amounts change.',
  input: {
    id: integer('Id of the finding.', { min: 1 }),
    note: filledText('Outcome, for other staff.', { max: MAX_NOTE }),
  },
  required: ['id', 'note'],
  body: 'FindingClosing',
  responses: { 200: findingSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'finding-not-found', 'finding-not-open'],
  may: (viewer) => mayReadFindings(viewer) && can(viewer, 'refund'),
  async handle(ctx, { id, note }) {
    const { db } = ctx.context;
    if (!(await findFinding(db, id))) throw new ApiError('finding-not-found');
    const isClosed = await closeFinding(db, id, { note, userId: ctx.viewer.account?.id ?? 0, now: ctx.now });
    if (!isClosed) throw new ApiError('finding-not-open');
    return ok(renderFinding(assertFound(await findFinding(db, id)), ctx), PRIVATE_NO_STORE);
  },
});

export const findingEndpoints: readonly AnyEndpoint[] = [list, close];
