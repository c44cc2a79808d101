import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isLogo } from '../../db/site-settings.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { can } from '../../http/core/auth.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { integer } from '../../http/input/schemas.ts';
import { createEmbedsCondition } from '../../platform/media/embedded-images.ts';
import { findImages } from '../../platform/media/images.ts';
import { lockedIds } from '../posts/event-password.ts';
import { isVisible, readableBy } from '../posts/visibility.ts';

/** Uses of an image: as picture or logo, or within a description. */

/** Maximum number of records returned. */
const MAX_NAMED = 100;

const schema = z
  .object({
    total: z.int().describe('Number of records visible to the user.'),
    is_logo: z.boolean(),
    is_in_site_texts: z.boolean(),
    used_by: z
      .array(z.object({ kind: z.string(), id: z.int(), title: z.string(), status: z.string() }))
      .describe(`At most ${MAX_NAMED}. A picture in the description of a ticket counts as used by its event.`),
  })
  .meta({ id: 'ImageUses' });

export const imageUsesEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/media/{id}/used-by',
  name: 'media.used_by',
  summary: 'List the uses of an uploaded image',
  description:
    'Events, venues, organizers, categories, tags and the site: with the image as picture or logo, or in their texts.',
  input: { id: integer('Id of the image.') },
  responses: { 200: schema },
  errors: ['rest_forbidden', 'media-not-found'],
  find: async ({ id = 0 }, ctx) => (await findImages(ctx.context.db, [id])).get(id),
  may: (viewer) => can(viewer, 'upload'),
  async handle(ctx, _input, image) {
    if (!image) throw new ApiError('media-not-found');
    return ok(await usesOf(ctx, image));
  },
});

interface Use {
  kind: string;
  id: number;
  title: string;
  status: string;
  total: number;
}

async function usesOf(ctx: RequestContext, image: MediaTable) {
  const { db } = ctx.context;
  const uses = await usesQuery(ctx, image);
  const { rows } = await sql<Use>`SELECT uses.*, count(*) OVER () AS total FROM (${uses}) AS uses
    ORDER BY kind, id LIMIT ${MAX_NAMED}`.execute(db.query);
  const embeds = await createEmbedsCondition(db, image);
  const texts = await sql`SELECT 1 FROM site_texts WHERE ${embeds(sql.ref('texts'))} LIMIT 1`.execute(db.query);
  return {
    total: Number(rows[0]?.total ?? 0),
    is_logo: await isLogo(db, image.id),
    is_in_site_texts: texts.rows.length > 0,
    used_by: rows.map(({ kind, id, title, status }) => ({ kind, id: Number(id), title, status })),
  };
}

/** UNION removes duplicates. */
async function usesQuery({ context, viewer }: RequestContext, image: MediaTable): Promise<RawBuilder<unknown>> {
  const embeds = await createEmbedsCondition(context.db, image);
  const locked = lockedIds({ viewer });
  const sees = (alias: string) =>
    // The trash is visible to viewers who may read the records of others.
    can(viewer, 'read_others')
      ? sql`1 = 1`
      : isVisible(readableBy(viewer), sql.ref(`${alias}.status`), sql.ref(`${alias}.author_id`));
  const events = (from: RawBuilder<unknown>) => sql`SELECT 'event' AS kind, e.id, e.title, e.status ${from}
    AND ${sees('e')} ${locked ? sql`AND e.id NOT IN (${locked})` : sql``}`;
  const posts = (from: RawBuilder<unknown>) => sql`SELECT p.kind, p.id, p.title, p.status ${from} AND ${sees('p')}`;
  const terms = (from: RawBuilder<unknown>) =>
    sql`SELECT c.taxonomy AS kind, c.id, c.name, 'publish' AS status ${from}`;
  const text = (column: string) => embeds(sql.ref<string>(column));
  return sql.join(
    [
      events(sql`FROM events AS e WHERE e.image_id = ${image.id}`),
      events(sql`FROM events AS e WHERE (${text('e.description')} OR ${text('e.excerpt')})`),
      events(sql`FROM translations AS t JOIN events AS e ON e.id = t.record_id
        WHERE t.kind = 'event' AND ${text('t.texts')}`),
      events(sql`FROM tickets AS k JOIN events AS e ON e.id = k.event_id
        WHERE k.is_deleted = 0 AND ${text('k.description')}`),
      posts(sql`FROM linked_posts AS p WHERE p.image_id = ${image.id}`),
      posts(sql`FROM linked_posts AS p WHERE ${text('p.description')}`),
      posts(sql`FROM translations AS t JOIN linked_posts AS p ON p.id = t.record_id AND p.kind = t.kind
        WHERE ${text('t.texts')}`),
      terms(sql`FROM terms AS c WHERE ${text('c.description')}`),
      terms(sql`FROM translations AS t JOIN terms AS c ON c.id = t.record_id AND c.taxonomy = t.kind
        WHERE ${text('t.texts')}`),
    ],
    sql` UNION `,
  );
}
