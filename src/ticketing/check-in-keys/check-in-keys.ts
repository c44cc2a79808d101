import type { Selectable } from 'kysely';
import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import type { CheckInKeysTable } from '../../db/tables/ticketing.ts';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { integer, plainLine } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';

/** Audit of check-in keys. */
export const auditedCheckInKey: AuditedKind = {
  name: 'check_in_key',
  async snapshot(db, id) {
    const key = await db.query.selectFrom('check_in_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return key && { title: key.name, fields: { name: key.name, event_id: key.event_id } };
  },
};

const KEY_BYTES = 16;

const keySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    event_id: z.int().nullable().describe('The only event for which the key is valid; null for all.'),
    created_utc: utcTime,
    last_used_utc: utcTime.nullable().describe('UTC, to the hour; null if the key was never used.'),
  })
  .meta({ id: 'CheckInKey', description: 'A key that lets a scanner read attendees and check them in.' });

const newKeySchema = keySchema
  .extend({
    key: z.string().describe('Shown only once; sent as `api_key` or `X-API-Key`.'),
    connection: z.string().describe('Content of the QR code that connects a scanner: JSON with address and key.'),
  })
  .meta({ id: 'NewCheckInKey', description: 'A new check-in key.' });

type Row = Selectable<CheckInKeysTable>;

const keyView = ({ id, name, event_id, created_utc, last_used_utc }: Row): z.output<typeof keySchema> => ({
  id,
  name,
  event_id,
  created_utc,
  last_used_utc,
});

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/check-in-keys',
  name: 'check_in_keys.list',
  summary: 'List check-in keys',
  description: 'Oldest first. The keys themselves are not stored, and the key in the settings is not listed.',
  input: pageFields,
  responses: { 200: listSchema('check_in_keys', keySchema, 'CheckInKeyList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, urls }, paging) {
    const { query } = context.db;
    const page = pageOf(paging, context.config.perPage);
    const { total } = await query
      .selectFrom('check_in_keys')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await query
      .selectFrom('check_in_keys')
      .selectAll()
      .orderBy('id')
      .limit(page.perPage)
      .offset(page.offset)
      .execute();
    return listResponse({
      key: 'check_in_keys',
      items: rows.map(keyView),
      total: Number(total),
      page,
      url: urls.rest('admin', '/check-in-keys'),
      params: { per_page: page.perPage },
    });
  },
});

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/check-in-keys',
  name: 'check_in_keys.create',
  summary: 'Create a check-in key',
  description: 'The key is shown in this response only.',
  input: {
    name: plainLine('Name of the scanner or person that uses the key.', { max: 100 }),
    event_id: integer('The only event for which the key is valid; by default, all events.', { min: 1 }),
  },
  required: ['name'],
  body: 'CheckInKeyInput',
  responses: { 201: newKeySchema },
  shownOnce: ['key', 'connection'],
  errors: ['rest_forbidden', 'rest_missing_callback_param'],
  async find({ event_id }, { context, viewer }, addProblem) {
    // Other viewers must not learn which events exist.
    if (!can(viewer, 'manage_users')) return;
    const event = event_id === undefined ? undefined : await findEvent(context.db, event_id);
    if (event_id !== undefined && !event) addProblem('event_id', { key: 'param.event_unknown' });
  },
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, actor, urls, now }, { name, event_id = null }) {
    const key = context.random(KEY_BYTES).toString('hex');
    const values = { name, hash: secretHash(key), event_id, created_utc: toUtc(now) };
    const row = await context.db.transaction(async (db) => {
      const inserted = await db.query
        .insertInto('check_in_keys')
        .values({ ...values, last_used_utc: null })
        .returningAll()
        .executeTakeFirstOrThrow();
      await logCreation(db, actor, { kind: auditedCheckInKey, id: inserted.id });
      return inserted;
    });
    const connection = JSON.stringify({ url: urls.origin, api_key: key, tec: true });
    return created({ ...keyView(row), key, connection }, { 'Cache-Control': 'no-store' });
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/check-in-keys/{id}',
  name: 'check_in_keys.delete',
  summary: 'Revoke a check-in key',
  description: 'The key stops working immediately.',
  input: { id: integer('Id of the key.', { min: 1 }) },
  required: ['id'],
  responses: { 200: keySchema },
  errors: ['rest_forbidden', 'check-in-key-not-found'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, actor }, { id }) {
    const row = await context.db.transaction((db) =>
      logChange(db, actor, { kind: auditedCheckInKey, id }, () =>
        db.query.deleteFrom('check_in_keys').where('id', '=', id).returningAll().executeTakeFirst(),
      ),
    );
    if (!row) throw new ApiError('check-in-key-not-found');
    return ok(keyView(row));
  },
});

export const checkInKeyEndpoints: AnyEndpoint[] = [list, create, remove];
