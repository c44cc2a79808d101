import { z } from 'zod';
import { findRecordKind } from '../../db/record-ids.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import {
  type AddProblem,
  type EndpointResponse,
  endpoint,
  type GuardedContext,
  type HandlerContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { clearable, field, filledText, integer, text } from '../../http/input/schemas.ts';
import { translate } from '../../lib/i18n.ts';
import { formatMoney, siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { plainText } from '../../lib/text/text.ts';
import { codeContent } from '../attendees/qr-content.ts';
import { isCodeOf } from '../attendees/security-code.ts';
import { type Attendee, findAttendee } from '../attendees/store.ts';
import { ticketSigner } from '../attendees/ticket-signature.ts';
import { renderHolder } from '../attendees/view.ts';
import { isToPayAtDoor } from '../orders/held-ticket.ts';
import { findOrder } from '../orders/store.ts';
import { attendeeSchema } from '../tickets/attendee-schema.ts';
import { hasRightById } from '../tickets/event-scope.ts';
import { drawCode, PICTURES, wantedPicture } from './picture.ts';
import { REFUSALS, type Scan, scanCode } from './scan.ts';

/** Requests contain codes and keys, and responses personal data. */
const NO_STORE = { 'Cache-Control': 'no-store' };

const eventId = integer('Event for which the code is scanned.');
/** Values besides 0 that scanners of the reference send for an unknown event. */
const NO_EVENT = ['undefined', 'null'] as const;

const scanFields = {
  api_key: filledText('Check-in key, unless the header `X-API-Key` has it.', { max: 200 }),
  ticket_id: integer('Id of the attendee, despite the name.', { min: 1 }),
  security_code: filledText('Security code of the attendee.', { max: 200 }),
  event_id: clearable(
    field({ ...eventId.meta() }, 'param.integer', (value) => {
      return NO_EVENT.find((word) => word === value) ?? eventId.safeParse(value).data;
    }),
  ),
  device_id: text('Name of the scanner, for the log.', { max: 100 }),
};

const scan = {
  namespace: 'tickets',
  path: '/qr',
  input: scanFields,
  required: ['ticket_id', 'security_code'],
  body: 'ScanInput',
  responses: {
    201: z.object({ msg: z.string(), attendee: attendeeSchema }).meta({
      id: 'QRCheckin',
      description: 'The attendee after the check-in; with GET under `/wp-json/tribe`, before it.',
    }),
    400: z
      .object({ msg: z.string(), error: z.literal('api_key_not_valid') })
      .meta({ id: 'QRKeyRefusal', description: 'The key is not valid.' }),
    403: z
      .object({ msg: z.string(), error: z.enum(REFUSALS), attendee: attendeeSchema.optional() })
      .meta({ id: 'QRRefusal', description: 'Why the code is refused.' }),
  },
  errors: ['rest_missing_callback_param'],
  async find({ event_id }: { event_id?: unknown }, { urls }: RequestContext, addProblem: AddProblem) {
    const isWord = typeof event_id === 'string';
    if (isWord && !urls.isReference) addProblem('event_id', { key: 'param.integer', code: 'rest_invalid_type' });
  },
} as const;

interface ScanInput extends Omit<Scan, 'event_id'> {
  api_key?: string;
  /** A text is one of `NO_EVENT`. */
  event_id?: number | string | null;
}

/** Responds to a scan, with the attendee `before` or `after` the check-in. */
async function respondToScan(
  ctx: GuardedContext,
  { api_key, ticket_id, security_code, event_id, device_id }: ScanInput,
  shown: 'before' | 'after',
): Promise<EndpointResponse> {
  const say = (key: 'checked_in' | 'api_key_not_valid' | (typeof REFUSALS)[number], name = '') =>
    translate(ctx.language, `qr.${key}`, { name });
  if (api_key !== undefined && !ctx.viewer.key) {
    const error = 'api_key_not_valid';
    return { status: 400, body: { msg: say(error), error }, headers: NO_STORE };
  }
  const isEvent = typeof event_id === 'number' && !(ctx.urls.isReference && event_id === 0);
  const outcome = await scanCode(ctx, {
    ticket_id,
    security_code,
    event_id: isEvent ? event_id : null,
    device_id: plainText(device_id ?? ''),
  });
  const holder = outcome.refusal === undefined && shown === 'before' ? outcome.before : outcome.holder;
  const person = holder && { attendee: await renderHolder(holder, ctx) };
  const name = holder?.attendee.full_name;
  if (!outcome.refusal) return { status: 201, body: { msg: say('checked_in', name), ...person }, headers: NO_STORE };
  const unpaid = holder && outcome.refusal === 'attendee_not_authorized' && (await unpaidMessage(ctx, holder.attendee));
  const body = { msg: unpaid || say(outcome.refusal, name), error: outcome.refusal, ...person };
  return { status: 403, body, headers: NO_STORE };
}

/** Tells the staff how much is to be paid at the door; undefined for other attendees. */
async function unpaidMessage(
  { context, language }: GuardedContext,
  { status, order_id, full_name }: Attendee,
): Promise<string | undefined> {
  const order = status === 'publish' && order_id !== null ? await findOrder(context.db, order_id) : undefined;
  if (!order || !isToPayAtDoor(order)) return undefined;
  const total = formatMoney(order.total, siteMoney(context.config, order.currency));
  return translate(language, 'qr.unpaid', { name: full_name, total, number: orderNumber(order.id) });
}

const checkInByPost = endpoint({
  ...scan,
  methods: ['POST'],
  name: 'qr.scan',
  // One statement checks in and logs it; a transaction would cost three more round trips to PostgreSQL.
  idempotency: 'recorded',
  summary: 'Check in with a scanned code',
  description:
    'For check-in keys, and for accounts that may check in. If several scanners read the same code, one gets 201 and the ' +
    'others `attendee_already_checked_in`.',
  needsKey: (viewer) => !hasEventRights(viewer, 'check_in'),
  handle: (ctx, input) => respondToScan(ctx, input, 'after'),
});

const checkInByGet = endpoint({
  ...scan,
  methods: ['GET'],
  hasEffect: true,
  name: 'qr.scan_get',
  summary: 'Check in with a scanned code, for scanners that can only send GET',
  description:
    'The same as POST, which is preferable because it keeps the key out of logs. It takes check-in keys only: a signed-in ' +
    'browser would send its session with every image of a page.',
  needsKey: () => true,
  // Scanners of the reference say "welcome" or "already in" depending on the attendee before the check-in.
  handle: (ctx, input) => respondToScan(ctx, input, ctx.urls.isReference ? 'before' : 'after'),
});

const qrSchema = z
  .object({
    id: z.int(),
    checked_in: z.enum(['1', '']),
    content: z.string().optional().describe('Content of the code; for privileged users and the holder.'),
  })
  .meta({ id: 'QR', description: 'QR code of a ticket.' });

const read = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/qr/{id}',
  name: 'qr.read',
  summary: 'Read the QR code of a ticket',
  description:
    'Whether the attendee is checked in. Privileged users, and the holder with `security_code`, also get the ' +
    'content of the code, and with `Accept: image/svg+xml` or `image/png` the code itself.',
  input: {
    id: integer('Id of the attendee.', { min: 1 }),
    security_code: filledText('Proves that the request comes from the holder.', { max: 200 }),
  },
  required: ['id'],
  responses: { 200: qrSchema },
  media: PICTURES,
  errors: ['attendee-not-found', 'ticket-not-accessible'],
  statuses: { 'ticket-not-accessible': 403 },
  async find({ id }, { context }, addProblem) {
    const attendee = id === undefined ? undefined : await findAttendee(context.db, id);
    if (id !== undefined && !attendee && (await findRecordKind(context.db, id)) !== 'ticket') {
      addProblem('id', { key: 'param.attendee_unknown' });
    }
    return attendee;
  },
  async handle(ctx, { security_code }, attendee): Promise<EndpointResponse> {
    if (!attendee) throw new ApiError('attendee-not-found');
    const isPrivileged = await hasRightById(ctx, 'read_attendees', attendee.event_id);
    if (attendee.status !== 'publish' && !isPrivileged) throw new ApiError('ticket-not-accessible', { status: 403 });
    const isHolder = security_code !== undefined && (await isCodeOf(attendee, security_code, ctx));
    const checked_in = attendee.checked_in === 1 ? '1' : '';
    if (!isPrivileged && !isHolder) return ok({ id: attendee.id, checked_in }, NO_STORE);
    return respondWithCode(ctx, attendee, { id: attendee.id, checked_in });
  },
});

async function respondWithCode(
  ctx: HandlerContext,
  attendee: Attendee,
  body: z.output<typeof qrSchema>,
): Promise<EndpointResponse> {
  const content = codeContent(attendee, ctx.urls, await ticketSigner(ctx.context));
  const response = ok({ ...body, content }, NO_STORE);
  const type = wantedPicture(ctx.header('accept') ?? '');
  return type ? { ...response, raw: { type, content: await drawCode(content, type) } } : response;
}

export const qrEndpoints = [checkInByGet, checkInByPost, read];
