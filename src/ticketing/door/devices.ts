import { z } from 'zod';
import { type AnyEndpoint, assertFound, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { clearable, filledText, integer, plainLine } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { newDeviceToken } from '../check-in-keys/device-token.ts';
import {
  auditedDevice,
  type DeviceStatus,
  deviceSchema,
  findDevice,
  listDevices,
  pairDevice,
  renderDevice,
} from './device-store.ts';
import { findGateTarget, type GateTarget, mayManageGate } from './gates.ts';
import { greetingOf, greetingSchema } from './greeting.ts';

/** Devices of gates: `/door/gates/{id}/devices`, `/door/pair` and `/door/hello`. */

const PAIRING_SECONDS = 10 * 60;
/** Letters and digits without I, L, O and U, which are easily misread; 50 bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 10;

const newCode = (random: (bytes: number) => Buffer): string =>
  [...random(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** A code as it is stored: without regard to case, spaces and hyphens. */
const codeHash = (code: string): string => secretHash(code.toUpperCase().replaceAll(/[\s-]/g, ''));

const pairingSchema = deviceSchema
  .extend({
    code: z.string().describe('Pairing code, shown only once; valid once, for ten minutes.'),
    expires_utc: utcTime,
  })
  .meta({ id: 'DoorPairing', description: 'A code that pairs one device with a gate.' });

const pairing = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/gates/{id}/pairings',
  name: 'gates.pairing',
  summary: 'Create a pairing code',
  description: 'The code pairs one device with the gate, once, within ten minutes. Revoking the device voids it.',
  input: {
    id: integer('Id of the gate.', { min: 1 }),
    name: plainLine('Name of the device, which it may change when it is paired.', { max: 100 }),
  },
  required: ['id'],
  body: 'DoorPairingInput',
  responses: { 201: pairingSchema },
  shownOnce: ['code'],
  errors: ['rest_forbidden', 'gate-not-found'],
  find: ({ id }, ctx) => findGateTarget(id, ctx),
  may: mayManageGate,
  async handle({ context, actor, now }, { id, name }, target) {
    const { gate } = assertFound(target);
    if (!gate) throw new ApiError('gate-not-found');
    const code = newCode(context.random);
    const expires_utc = addSeconds(toUtc(now), PAIRING_SECONDS);
    const row = await context.db.transaction(async (db) => {
      const inserted = await db.query
        .insertInto('door_devices')
        .values({
          gate_id: id,
          name: name ?? gate.name,
          pairing_hash: codeHash(code),
          pairing_expires_utc: expires_utc,
          token_hash: null,
          created_utc: toUtc(now),
          last_seen_utc: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await logCreation(db, actor, { kind: auditedDevice, id: inserted.id });
      return inserted;
    });
    return created({ ...renderDevice(row), code, expires_utc }, PRIVATE_NO_STORE);
  },
});

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/gates/{id}/devices',
  name: 'gates.devices',
  summary: 'List the devices of a gate',
  description: 'Latest first, revoked ones and unused pairing codes too.',
  input: { ...pageFields, id: integer('Id of the gate.', { min: 1 }) },
  required: ['id'],
  responses: { 200: listSchema('devices', deviceSchema, 'DoorDeviceList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'gate-not-found'],
  find: ({ id }, ctx) => findGateTarget(id, ctx),
  may: mayManageGate,
  async handle({ context, urls, now }, { id, ...paging }, target) {
    if (!target.gate) throw new ApiError('gate-not-found');
    const page = pageOf(paging, context.config.perPage);
    const slice = { limit: page.perPage, offset: page.offset };
    const { total, devices } = await listDevices(context.db, { gate: id, now: toUtc(now) }, slice);
    return listResponse({
      key: 'devices',
      items: devices.map(renderDevice),
      total,
      page,
      url: urls.rest('admin', `/door/gates/${id}/devices`),
      params: { per_page: page.perPage },
    });
  },
});

async function findDeviceTarget(id: number | undefined, ctx: RequestContext): Promise<GateTarget> {
  const device = id === undefined ? undefined : await findDevice(ctx.context.db, id);
  return findGateTarget(device?.gate_id, ctx);
}

const revoke = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/door/devices/{id}',
  name: 'door_devices.revoke',
  summary: 'Revoke a device',
  description: 'It stops working immediately, and so does its pairing code. Its scans stay.',
  input: { id: integer('Id of the device.', { min: 1 }) },
  required: ['id'],
  responses: { 200: deviceSchema },
  errors: ['rest_forbidden', 'door-device-not-found'],
  find: ({ id }, ctx) => findDeviceTarget(id, ctx),
  may: mayManageGate,
  async handle({ context, actor, now }, { id }, target) {
    if (!target.gate) throw new ApiError('door-device-not-found');
    const row = await context.db.transaction((db) =>
      logChange(db, actor, { kind: auditedDevice, id }, () =>
        db.query
          .updateTable('door_devices')
          .set({ revoked_utc: toUtc(now), pairing_hash: null })
          .where('id', '=', id)
          .where('revoked_utc', '=', '')
          .returningAll()
          .executeTakeFirst(),
      ),
    );
    const device = row ?? (await findDevice(context.db, id));
    if (!device) throw new ApiError('door-device-not-found');
    return ok(renderDevice(device));
  },
});

const pair = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/pair',
  name: 'door.pair',
  summary: 'Pair a device',
  description:
    'Exchanges a pairing code for the token of this device, which it sends as `X-API-Key`. A code works once; wrong ones are limited.',
  input: {
    code: filledText('Pairing code; case, spaces and hyphens do not matter.', { max: 40 }),
    name: plainLine('Name of the device.', { max: 100 }),
  },
  required: ['code'],
  body: 'DoorPairInput',
  idempotency: 'recorded',
  responses: {
    201: z
      .object({ token: z.string().describe('Shown only once.'), device: deviceSchema })
      .meta({ id: 'DoorPaired', description: 'A paired device.' }),
  },
  shownOnce: ['token'],
  errors: ['rest_missing_callback_param', 'pairing-code-invalid', 'too_many_attempts'],
  async handle({ context, limits, client, now }, { code, name = '' }) {
    const token = newDeviceToken(context.random);
    const pairing = codeHash(code);
    let device: Awaited<ReturnType<typeof pairDevice>>;
    // The comparison uses the code up, so only one of several concurrent requests gets it.
    await limits.checkSecret({ kind: 'pairing-code', secret: code, stored: '', client, isSpent: true }, async () => {
      device = await pairDevice(context.db, { pairing, token: secretHash(token), name, now: toUtc(now) });
      return device !== undefined;
    });
    if (!device) throw new ApiError('pairing-code-invalid');
    return created({ token, device: renderDevice(device) }, PRIVATE_NO_STORE);
  },
});

const hello = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/hello',
  name: 'door.hello',
  summary: 'Report to the server and learn the rules',
  description:
    'For paired devices. 401 once the device is revoked or its gate has expired: it then erases its list, and keeps the scans that it has yet to send.',
  input: {
    battery: clearable(integer('Percent.', { max: 100 })),
    queue: integer('Scans that are yet to be sent.', { max: 1_000_000 }),
    list_age: clearable(integer('Seconds since the list was last synchronised.', { max: 1_000_000_000 })),
  },
  body: 'DoorHelloInput',
  idempotency: 'recorded',
  responses: { 200: greetingSchema },
  shownOnce: ['list_secret'],
  errors: ['rest_forbidden'],
  may: ({ device }) => device !== undefined,
  async handle(ctx, { battery, queue, list_age }) {
    const { context, viewer, now } = ctx;
    const device = assertFound(viewer.device);
    const status: DeviceStatus = { battery: battery ?? null, queue: queue ?? 0, list_age: list_age ?? null };
    await context.db.query
      .updateTable('door_devices')
      .set({ last_seen_utc: toUtc(now), status: JSON.stringify(status) })
      .where('id', '=', device.id)
      .execute();
    return ok(await greetingOf(ctx, device), PRIVATE_NO_STORE);
  },
});

export const deviceEndpoints: AnyEndpoint[] = [pairing, list, revoke, pair, hello];
