import { z } from 'zod';
import { assertFound, endpoint, ok } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { field, type Json } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { ADMISSIONS, DOOR_MODES, VERDICTS } from '../../lib/door/door-verdict.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import type { Gate } from './gate-store.ts';
import { scanGateOf } from './greeting.ts';
import { rowMaker } from './list-rows.ts';
import type { DeviceScan } from './scan-batch.ts';
import { takeInTurn } from './scan-queue.ts';
import type { ScanResult } from './take-scans.ts';

/** Scans of devices: `/door/scans`. */

const MAX_SCANS = 100;
const SCAN_ID = /^[\w-]{8,64}$/;
const MODES = [...DOOR_MODES, 'undo'] as const;
const MAX_CODE = 200;
/** Milliseconds of a thousand years, within which all dates are valid. */
const MAX_OFFSET = 1000 * 365 * 86_400_000;
/** RFC 3339 in UTC, with up to three decimals. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

const scanSchema: Json = {
  $id: 'DoorScan',
  type: 'object',
  properties: {
    id: {
      type: 'string',
      pattern: '^[\\w-]{8,64}$',
      description: 'Random id of the scan; the same id again gets the first response.',
    },
    mode: { type: 'string', enum: MODES, description: '`undo` takes back a scan of the same device.' },
    attendee: {
      type: ['integer', 'null'],
      minimum: 1,
      description: '`ticket_id` of the code, or id of an attendee who was found by name.',
    },
    code: {
      type: ['string', 'null'],
      maxLength: MAX_CODE,
      description: '`security_code` of the code; null for an attendee who was found by name.',
    },
    event_id: {
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Event for which a series pass is scanned; by default the one that takes place.',
    },
    time: { type: 'string', format: 'date-time', description: 'Clock of the device when it scanned, in UTC.' },
    offset: {
      type: ['integer', 'null'],
      minimum: -MAX_OFFSET,
      maximum: MAX_OFFSET,
      description: 'Milliseconds by which the server was ahead of this clock, from `server_time`.',
    },
    let_in: {
      type: ['boolean', 'null'],
      description:
        'What the device has decided by itself, without the server; null if it waits for the response. A device that stops waiting sends the scan again with its decision.',
    },
    override: { type: ['boolean', 'null'], description: 'Whether the holder of a used ticket is let in on purpose.' },
    undoes: { type: ['string', 'null'], description: 'For `undo`: id of the scan to take back.' },
  },
  required: ['id', 'mode', 'time'],
};

const scans: z.ZodType<DeviceScan[]> = field(
  { type: 'array', items: scanSchema, minItems: 1, maxItems: MAX_SCANS, description: 'Scans, oldest first.' },
  'param.door_scans',
  readScans,
);

/** Scans as a device sends them; undefined if any is not valid. */
export function readScans(value: unknown): DeviceScan[] | undefined {
  const members = typeof value === 'object' && value !== null ? membersOf(value) : undefined;
  if (!members || members.length === 0 || members.length > MAX_SCANS) return undefined;
  const read = members.flatMap((member) => scanOf(member) ?? []);
  return read.length === members.length ? read : undefined;
}

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);
const isId = (value: unknown): value is number => isWhole(value) && value > 0;
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && /^[\x20-\x7e]*$/.test(value);

function scanOf(member: unknown): DeviceScan | undefined {
  if (!isRecord(member)) return undefined;
  const { id, attendee, code, event_id, time, offset, let_in, override, undoes } = member;
  const mode = MODES.find((name) => name === member.mode);
  const clock = isText(time, 40) && TIME.test(time) ? Date.parse(time) : Number.NaN;
  if (!mode || !isText(id, 64) || !SCAN_ID.test(id) || Number.isNaN(clock)) return undefined;
  const given = [attendee, code, event_id, offset, let_in, override, undoes].map((one) => one ?? undefined);
  const isValid = [isId, (one: unknown) => isText(one, MAX_CODE), isId, isOffset, isFlag, isFlag, isScanId].every(
    (test, index) => given[index] === undefined || test(given[index]),
  );
  if (!isValid || (mode === 'undo' ? !isScanId(undoes) : !isId(attendee))) return undefined;
  return {
    ...{ id, mode, time: clock, offset: isOffset(offset) ? offset : 0, overrides: override === true },
    ...(isId(attendee) && { attendee }),
    ...(typeof code === 'string' && { code }),
    ...(isId(event_id) && { event: event_id }),
    ...(isFlag(let_in) && { letIn: let_in }),
    ...(mode === 'undo' && isScanId(undoes) && { undoes }),
  };
}

const isOffset = (value: unknown): value is number => isWhole(value) && Math.abs(value) <= MAX_OFFSET;
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const isScanId = (value: unknown): value is string => isText(value, 64) && SCAN_ID.test(value);

const resultSchema = z
  .object({
    id: z.string(),
    verdict: z.enum(VERDICTS),
    first: z
      .object({ utc: utcTime, place: z.string().describe('Gate and device; empty for a check-in elsewhere.') })
      .nullable()
      .describe('Entry with the same ticket before.'),
    clash: z.boolean().describe('Whether the device let in a holder whom the server would have refused.'),
    attendee: z
      .object({
        id: z.int(),
        event_id: z.int(),
        ticket_id: z.int(),
        admission: z.enum(ADMISSIONS),
        name: z.string(),
        owed: z.int().describe('Amount owed for the order, in minor units.'),
        since: z.string().describe('UTC time of the entry; empty unless the holder is in.'),
        note: z.string().describe('Note for the door.'),
      })
      .nullable()
      .describe('null for an unknown ticket, a wrong code, and a ticket of another gate’s event.'),
  })
  .meta({ id: 'DoorScanAnswer', description: 'Response to a scan.' });

function attendeeView({ verdict, attendee }: ScanResult, gate: Gate, make: ReturnType<typeof rowMaker>) {
  if (!attendee || verdict === 'wrong-code' || !gate.events.includes(attendee.event_id)) return null;
  const [id, event_id, ticket_id, admission, since, , name, , owed, , , note] = make(attendee);
  return { id, event_id, ticket_id, admission, name, owed, since, note };
}

export const scansEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/scans',
  name: 'door.scans',
  summary: 'Send scans',
  description:
    'For paired devices: up to 100 scans, taken in order, all or none. A device keeps a scan until its response has arrived; the same id again gets the first response. Scans of one ticket are ordered by their corrected time, which is never before the device was paired nor after the scan arrived.',
  input: { scans },
  required: ['scans'],
  body: 'DoorScansInput',
  idempotency: 'recorded',
  responses: {
    200: z
      .object({ server_time: z.string(), scans: z.array(resultSchema) })
      .meta({ id: 'DoorScanAnswers', description: 'Responses, in the order of the scans.' }),
  },
  errors: ['rest_forbidden', 'rest_missing_callback_param'],
  may: ({ device }) => device !== undefined,
  async handle(ctx, { scans: sent }) {
    const { context, now, viewer } = ctx;
    const device = assertFound(viewer.device);
    const open = await scanGateOf(ctx, device);
    const counter = { ...open, device, now, buffer: context.config.checkInWindow.buffer };
    const results = await takeInTurn(context.db, { counter, scans: sent });
    const make = rowMaker(open.gate, context.siteKey);
    return ok(
      {
        server_time: now.toISOString(),
        scans: results.map((result) => ({
          id: result.id,
          verdict: result.verdict,
          first: result.first ?? null,
          clash: result.isClash,
          attendee: attendeeView(result, open.gate, make),
        })),
      },
      PRIVATE_NO_STORE,
    );
  },
});
