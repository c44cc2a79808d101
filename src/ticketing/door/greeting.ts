import { z } from 'zod';
import type { DoorDevice } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { utcTime } from '../../http/output/output.ts';
import { sealKeyOf } from '../../lib/door/sealed-scans.ts';
import { findClashesOfDevice } from './clash-store.ts';
import { findEvents, type GateEvent } from './gate-events.ts';
import { findGate, type Gate, ownGateSchema, renderOwnGate } from './gate-store.ts';
import { listSecret } from './list-rows.ts';

/** Gate of a device, with its rules and events. */

const MAX_CLASHES = 20;

export const greetingSchema = z
  .object({
    server_time: z.string().describe('ISO 8601 with milliseconds, to learn the offset of the clock of the device.'),
    device: z.object({ id: z.int(), name: z.string() }),
    gate: ownGateSchema,
    list_secret: z
      .string()
      .describe(
        'Base64url. A proof of the list is the first 12 bytes of HMAC-SHA-256(secret, `ID:CODE`) in base64url.',
      ),
    seal_key: z
      .string()
      .describe(
        'Public key (P-256, uncompressed, base64url) for which devices seal scans that wait; see `POST /door/sealed`.',
      ),
    clashes: z
      .array(
        z.object({
          id: z.int(),
          attendee_id: z.int(),
          reason: z.string(),
          first_utc: z.string(),
          first_place: z.string(),
          second_utc: utcTime,
          second_place: z.string(),
        }),
      )
      .describe(
        'Latest open clashes of the scans of this device, at most 20: entries with one ticket, or late refusals.',
      ),
  })
  .meta({ id: 'DoorGreeting', description: 'Time of the server and rules of the gate.' });

/** The gate of a device with its events. */
export interface OpenGate {
  gate: Gate;
  events: GateEvent[];
}

/**
 * The gate of a device.
 * @throws {ApiError} rest_forbidden if it was deleted meanwhile
 */
export async function openGateOf(ctx: RequestContext, device: DoorDevice): Promise<OpenGate> {
  const gate = await getGate(ctx, device);
  return { gate, events: await findEvents(ctx, gate.events) };
}

/** A gate with the admission times of its events. */
export interface ScanGate {
  gate: Gate;
  events: Pick<GateEvent, 'id' | 'opens_utc' | 'closes_utc'>[];
}

/**
 * The gate of a device for scans, which need no titles.
 * @throws {ApiError} rest_forbidden if it was deleted meanwhile
 */
export async function scanGateOf(ctx: RequestContext, device: DoorDevice): Promise<ScanGate> {
  if (ctx.context.config.checkInWindow.isOn) return openGateOf(ctx, device);
  const gate = await getGate(ctx, device);
  return { gate, events: gate.events.map((id) => ({ id, opens_utc: null, closes_utc: null })) };
}

/** @throws {ApiError} rest_forbidden if the gate was deleted meanwhile */
export async function getGate({ context }: RequestContext, { gateId }: DoorDevice): Promise<Gate> {
  const gate = await findGate(context.db, gateId);
  if (!gate) throw new ApiError('rest_forbidden', { status: 401 });
  return gate;
}

export async function greetingOf(ctx: RequestContext, device: DoorDevice): Promise<z.output<typeof greetingSchema>> {
  const gate = await getGate(ctx, device);
  const clashes = await findClashesOfDevice(ctx.context.db, device.id, MAX_CLASHES);
  return {
    server_time: ctx.now.toISOString(),
    device: { id: device.id, name: device.name },
    gate: renderOwnGate(gate),
    clashes: clashes.map((clash) => ({
      ...{ id: clash.id, attendee_id: clash.attendee_id, reason: clash.reason },
      ...{ first_utc: clash.first_utc.slice(0, 19), first_place: clash.first_place },
      ...{ second_utc: clash.second_utc.slice(0, 19), second_place: clash.second_place },
    })),
    list_secret: listSecret(ctx.context.siteKey, gate.id).toString('base64url'),
    seal_key: sealKeyOf(ctx.context.siteKey('door-seal')),
  };
}
