import type { Database } from '../../../db/database.ts';
import type { LinkKind } from '../../../db/tables/calendar.ts';
import { isLinkedKind } from '../../../lib/linked-kinds.ts';
import { findImages } from '../../../platform/media/images.ts';
import { followMerges } from '../../library/merged-records.ts';
import { findLinks, type Links } from '../store.ts';
import type { Series } from './series-store.ts';
import type { Template } from './template.ts';

/**
 * The template of a series with records that exist: venues, organizers and terms may have been merged or deleted since
 * it was written, and its image deleted. Events follow a merge, so in place of missing records those of an event count.
 */
export async function presentTemplate(db: Database, { id, template }: Series): Promise<Template> {
  const links = await followMerges(db, template.links);
  const kinds = Object.keys(links) as LinkKind[];
  const present: Links = {};
  for (const kind of kinds) present[kind] = await presentTargets(db, { series: id, kind, targets: links[kind] ?? [] });
  const { image_id } = template.values;
  const hasImage = image_id !== null && (await findImages(db, [image_id])).has(image_id);
  return { ...template, links: present, values: { ...template.values, image_id: hasImage ? image_id : null } };
}

interface Linked {
  series: number;
  kind: LinkKind;
  targets: readonly number[];
}

async function presentTargets(db: Database, { series, kind, targets }: Linked): Promise<readonly number[]> {
  if (targets.length === 0) return targets;
  const known = new Set(await existing(db, kind, targets));
  if (known.size === new Set(targets).size) return targets;
  return (await targetsOfEvent(db, series, kind)) ?? targets.filter((target) => known.has(target));
}

async function existing({ query }: Database, kind: LinkKind, targets: readonly number[]): Promise<number[]> {
  const rows = isLinkedKind(kind)
    ? await query
        .selectFrom('linked_posts')
        .select('id')
        .where('kind', '=', kind)
        .where('status', '<>', 'trash')
        .where('id', 'in', [...targets])
        .execute()
    : await query
        .selectFrom('terms')
        .select('id')
        .where('taxonomy', '=', kind)
        .where('id', 'in', [...targets])
        .execute();
  return rows.map(({ id }) => id);
}

/** Targets of the last event of a series that shows the template in this respect. */
async function targetsOfEvent(db: Database, series: number, kind: LinkKind): Promise<number[] | undefined> {
  const event = await db.query
    .selectFrom('occurrences')
    .innerJoin('series', 'series.id', 'occurrences.series_id')
    .select('event_id')
    .where('series_id', '=', series)
    .whereRef('occurrences.version', '=', 'series.version')
    .where('own_fields', 'not like', `%"${kind}"%`)
    .orderBy('recurrence_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!event) return undefined;
  const links = await findLinks(db, [event.event_id]);
  return links.filter((link) => link.kind === kind).map(({ target_id }) => target_id);
}
