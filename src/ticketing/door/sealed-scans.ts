import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { DoorDevice } from '../../http/core/auth.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { texts } from '../../http/input/schemas.ts';
import { fromUtc } from '../../lib/dates/dates.ts';
import { openSealed } from '../../lib/door/sealed-scans.ts';
import { secretHash } from '../../lib/hash.ts';
import { isRecord } from '../../lib/text/list.ts';
import { isDeviceToken } from '../check-in-keys/device-token.ts';
import type { Device } from './device-store.ts';
import { findGate, type Gate } from './gate-store.ts';
import { NEW_GATE } from './gates.ts';
import { scanGateOf } from './greeting.ts';
import type { Counter } from './scan-batch.ts';
import { takeInTurn } from './scan-queue.ts';
import { readScans } from './scans.ts';

/** Sealed scans: `/door/sealed`. Devices send them after they have erased their list, or were revoked. */

const MAX_ENVELOPES = 20;
/** Characters of 100 scans. */
const MAX_ENVELOPE = 100_000;

const responses = {
  200: z
    .object({
      accepted: z
        .array(z.boolean())
        .describe(
          'For each envelope: true if its scans are stored, so that the device may delete it; false if they never will be.',
        ),
    })
    .meta({ id: 'DoorSealedAnswer', description: 'Result for each envelope of sealed scans.' }),
};

/** The device of a token, also a revoked one. */
const findDeviceOf = ({ db }: Context, token: string): Promise<Device | undefined> =>
  db.query.selectFrom('door_devices').selectAll().where('token_hash', '=', secretHash(token)).executeTakeFirst();

async function counterOf(ctx: RequestContext, row: Device): Promise<Counter> {
  const { context, now } = ctx;
  const device: DoorDevice = { id: row.id, gateId: row.gate_id, name: row.name, pairedUtc: row.paired_utc };
  const { buffer } = context.config.checkInWindow;
  const gate = await findGate(context.db, row.gate_id);
  if (row.revoked_utc !== '' || !gate) {
    return { gate: gate ?? deletedGate(row), events: [], device, now, buffer, isRevoked: true };
  }
  // It cannot have scanned later.
  const end = gate.expires_utc === null ? now : fromUtc(gate.expires_utc);
  return { ...(await scanGateOf(ctx, device)), device, now: end < now ? end : now, buffer };
}

const deletedGate = ({ gate_id: id, created_utc }: Device): Gate => ({
  ...NEW_GATE,
  ...{ id, name: '', created_utc, events: [], strict_minutes: null, expires_utc: null, settled_version: null },
});

/** Takes the scans of an envelope; false if the envelope or its scans are not valid. */
async function takeEnvelope(ctx: RequestContext, envelope: string): Promise<boolean> {
  const content = contentOf(openSealed(ctx.context.siteKey('door-seal'), envelope));
  if (!content) return false;
  const device = await findDeviceOf(ctx.context, content.token);
  if (!device) return false;
  await takeInTurn(ctx.context.db, { counter: await counterOf(ctx, device), scans: content.scans });
  return true;
}

function contentOf(text: string | undefined) {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.token !== 'string' || !isDeviceToken(value.token)) return undefined;
    const scans = readScans(value.scans);
    return scans && { token: value.token, scans };
  } catch {
    return undefined;
  }
}

export const sealedScansEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/sealed',
  name: 'door.sealed',
  summary: 'Send sealed scans',
  description:
    'Without a token, which the envelopes hold. Scans of a revoked device admit no holder: each one that it claims to have let in is reported as a clash. Envelopes that cannot be opened are limited like wrong pairing codes.',
  input: {
    sealed: texts(`Envelopes, at most ${MAX_ENVELOPES}; see \`seal_key\` of \`POST /door/hello\`.`, {
      max: MAX_ENVELOPES,
      maxLength: MAX_ENVELOPE,
    }),
  },
  required: ['sealed'],
  body: 'DoorSealedInput',
  idempotency: 'recorded',
  responses,
  errors: ['rest_missing_callback_param', 'too_many_attempts'],
  async handle(ctx, { sealed }) {
    const { limits, client } = ctx;
    const accepted: boolean[] = [];
    for (const envelope of sealed) {
      const attempt = { kind: 'pairing-code', secret: envelope, stored: '', client, isSpent: true } as const;
      accepted.push(await limits.checkSecret(attempt, () => takeEnvelope(ctx, envelope)));
    }
    return ok({ accepted }, PRIVATE_NO_STORE);
  },
});
