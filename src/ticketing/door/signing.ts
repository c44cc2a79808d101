import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import type { SigningKeysTable } from '../../db/tables/door.ts';
import { can } from '../../http/core/auth.ts';
import { created, endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { utcTime } from '../../http/output/output.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import type { SiteKey } from '../../lib/site-keys.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { findSigningKey, publicKeyOf } from '../attendees/ticket-signature.ts';

/** Keys that sign codes: `/door/keys`. */

type Row = Selectable<SigningKeysTable>;

export const publicKeySchema = z
  .object({
    id: z.int().describe('Number in front of the signature.'),
    public_key: z.string().describe('Ed25519, 32 bytes in base64url.'),
    created_utc: utcTime,
    retired_utc: utcTime.nullable().describe('null for the key that signs.'),
  })
  .meta({ id: 'SigningKey', description: 'A key that signs the codes of tickets.' });

const keyView = (siteKey: SiteKey, { id, created_utc, retired_utc }: Row): z.output<typeof publicKeySchema> => ({
  id,
  public_key: publicKeyOf(siteKey, id),
  created_utc,
  retired_utc: retired_utc || null,
});

/** The public keys of the site, oldest first. */
export async function publicKeys({ db, siteKey }: Pick<Context, 'db' | 'siteKey'>) {
  const rows = await db.query.selectFrom('signing_keys').selectAll().orderBy('id').execute();
  return rows.map((row) => keyView(siteKey, row));
}

/** Audit of signing keys. */
export const auditedSigningKey: AuditedKind = {
  name: 'signing_key',
  async snapshot(db, id) {
    const row = await db.query.selectFrom('signing_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return row && { title: String(id), fields: { created_utc: row.created_utc, retired: row.retired_utc !== '' } };
  },
};

async function insertKey(db: Database, { actor, now }: Pick<RequestContext, 'actor' | 'now'>): Promise<Row> {
  const row = await db.query
    .insertInto('signing_keys')
    .values({ created_utc: toUtc(now) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await logCreation(db, actor, { kind: auditedSigningKey, id: row.id });
  return row;
}

const lockKeys = (db: Database): Promise<void> => db.dialect.lock(db, 'signing-keys');

/** Creates the first key, in the transaction of the first gate. */
export async function ensureSigningKey(db: Database, ctx: Pick<RequestContext, 'actor' | 'now'>): Promise<void> {
  if ((await findSigningKey(db)) !== undefined) return;
  await lockKeys(db);
  if ((await findSigningKey(db)) === undefined) await insertKey(db, ctx);
}

/** Begins to sign codes with a new key. */
export const rotateKeyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/keys',
  name: 'signing_keys.create',
  summary: 'Sign codes with a new key',
  description:
    'Retires the present key. Codes that it has signed stay valid; devices learn the new key when they next synchronise. The first gate creates the first key.',
  input: {},
  responses: { 201: publicKeySchema },
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'manage_site'),
  async handle(ctx) {
    const { context, actor, now } = ctx;
    const row = await context.db.transaction(async (db) => {
      await lockKeys(db);
      const earlier = await findSigningKey(db);
      if (earlier !== undefined) {
        await logChange(db, actor, { kind: auditedSigningKey, id: earlier }, () =>
          db.query
            .updateTable('signing_keys')
            .set({ retired_utc: toUtc(now) })
            .where('id', '=', earlier)
            .execute(),
        );
      }
      return insertKey(db, ctx);
    });
    return created(keyView(context.siteKey, row));
  },
});
