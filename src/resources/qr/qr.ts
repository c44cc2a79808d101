import { z } from 'zod';
import { findRecordKind } from '../../db/records.ts';
import { type AnyEndpoint, type Call, type Endpoint, endpoint, ok, type Reply } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { clearable, filledText, integer, text } from '../../http/input.ts';
import { translate } from '../../lib/i18n.ts';
import { plainText } from '../../lib/text.ts';
import { type Attendee, findAttendee } from '../attendees/store.ts';
import { attendeeSchema, renderHolder } from '../attendees/view.ts';
import { mayReadAttendees } from '../attendees/visibility.ts';
import { codeContent } from './content.ts';
import { drawCode, PICTURES, wantedPicture } from './picture.ts';
import { isCodeOf, REFUSALS, scanCode } from './scan.ts';

/** Codes and keys stand in these requests and people in their answers. */
const NOT_KEPT = { 'Cache-Control': 'no-store' };

const scanFields = {
  api_key: filledText('Check-in key; also as the header `X-API-Key`.', { max: 200 }),
  ticket_id: integer('Id of the attendee, whatever the name says.', { min: 1 }),
  security_code: filledText('Security code of the attendee.', { max: 200 }),
  event_id: clearable(integer('Event at whose door the code is scanned.')),
  device_id: text('What the scanner calls itself; kept in the log.', { max: 100 }),
};

const scan = {
  namespace: 'tickets',
  path: '/qr',
  input: scanFields,
  required: ['api_key', 'ticket_id', 'security_code'],
  body: 'ScanInput',
  answers: {
    201: z
      .object({ msg: z.string(), attendee: attendeeSchema })
      .meta({ id: 'QRCheckin', description: 'The attendee after the check-in.' }),
    400: z
      .object({ msg: z.string(), error: z.literal('api_key_not_valid') })
      .meta({ id: 'QRKeyRefusal', description: 'The key is not valid.' }),
    403: z
      .object({ msg: z.string(), error: z.enum(REFUSALS), attendee: attendeeSchema.optional() })
      .meta({ id: 'QRRefusal', description: 'Why a code does not open the door.' }),
  },
  errors: ['rest_missing_callback_param'],
  async handle(call, { api_key: _key, device_id, ...code }) {
    const say = (key: 'checked_in' | 'api_key_not_valid' | (typeof REFUSALS)[number], name = '') =>
      translate(call.language, `qr.${key}`, { name });
    if (!call.viewer.key) {
      const error = 'api_key_not_valid';
      return { status: 400, body: { msg: say(error), error }, headers: NOT_KEPT };
    }
    const { refusal, holder } = await scanCode(call, { ...code, device_id: plainText(device_id ?? '') });
    const person = holder && { attendee: await renderHolder(holder, call) };
    const name = holder?.attendee.full_name;
    if (!refusal) return { status: 201, body: { msg: say('checked_in', name), ...person }, headers: NOT_KEPT };
    const body = { msg: say(refusal, name), error: refusal, ...person };
    return { status: 403, body, headers: NOT_KEPT };
  },
} as const satisfies Omit<
  Endpoint<typeof scanFields, undefined, 'api_key' | 'ticket_id' | 'security_code'>,
  'methods' | 'name' | 'summary'
>;

const checkInByPost = endpoint({
  ...scan,
  methods: ['POST'],
  name: 'qr.scan',
  // One statement checks in and logs it; a transaction would cost three more round trips to PostgreSQL.
  idempotency: 'recorded',
  summary: 'Check in by a scanned code',
  description: 'Of several scanners that read the same code one gets 201, the others `attendee_already_checked_in`.',
});

const checkInByGet = endpoint({
  ...scan,
  methods: ['GET'],
  hasEffect: true,
  name: 'qr.scan_get',
  summary: 'Check in by a scanned code, for scanners that can only read',
  description: 'The same as POST, which keeps the key out of logs.',
});

const qrSchema = z
  .object({
    id: z.int(),
    checked_in: z.enum(['1', '']),
    content: z.string().optional().describe('What the code says; for privileged callers and the holder.'),
  })
  .meta({ id: 'QR', description: 'The code of a ticket.' });

const read = endpoint({
  namespace: 'tickets',
  methods: ['GET'],
  path: '/qr/{id}',
  name: 'qr.read',
  summary: 'Read the code of a ticket',
  description:
    'Whether the attendee is checked in. Privileged callers, and the holder who sends `security_code`, also get what the ' +
    'code says, and with `Accept: image/svg+xml` or `image/png` the code itself.',
  input: {
    id: integer('Id of the attendee.', { min: 1 }),
    security_code: filledText('Shows that the caller holds the ticket.', { max: 200 }),
  },
  required: ['id'],
  answers: { 200: qrSchema },
  media: PICTURES,
  errors: ['attendee-not-found', 'ticket-not-accessible'],
  statuses: { 'ticket-not-accessible': 403 },
  async find({ id }, { context }, refuse) {
    const attendee = id === undefined ? undefined : await findAttendee(context.db, id);
    if (id !== undefined && !attendee && (await findRecordKind(context.db, id)) !== 'ticket') {
      refuse('id', { key: 'param.attendee_unknown' });
    }
    return attendee;
  },
  async handle(call, { security_code }, attendee): Promise<Reply> {
    if (!attendee) throw new ApiError('attendee-not-found');
    const isPrivileged = mayReadAttendees(call.viewer, attendee.event_id);
    if (attendee.status !== 'publish' && !isPrivileged) throw new ApiError('ticket-not-accessible', { status: 403 });
    const isHolder = security_code !== undefined && (await isCodeOf(attendee, security_code, call));
    const checked_in = attendee.checked_in === 1 ? '1' : '';
    if (!isPrivileged && !isHolder) return ok({ id: attendee.id, checked_in }, NOT_KEPT);
    return answerWithCode(call, attendee, { id: attendee.id, checked_in });
  },
});

async function answerWithCode(call: Call, attendee: Attendee, body: z.output<typeof qrSchema>): Promise<Reply> {
  const content = codeContent(attendee, call.urls);
  const reply = ok({ ...body, content }, NOT_KEPT);
  const type = wantedPicture(call.header('accept') ?? '');
  return type ? { ...reply, raw: { type, bytes: await drawCode(content, type) } } : reply;
}

export const qrEndpoints: AnyEndpoint[] = [checkInByGet, checkInByPost, read];
