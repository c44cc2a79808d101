import { mayEdit } from '../../http/core/auth.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { auditedTexts } from '../../platform/translations/store.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import { ownedAs } from '../posts/post.ts';
import { auditedPlain } from './event-fields.ts';
import { findEvent, findLinks } from './store.ts';

/** Audit of events. */
export const auditedEvent: AuditedKind = {
  name: 'event',
  async snapshot(db, id) {
    const event = await findEvent(db, id);
    if (!event) return undefined;
    const links = Map.groupBy(await findLinks(db, [id]), ({ kind }) => kind);
    const idsOf = (kind: Parameters<typeof links.get>[0]) => links.get(kind)?.map(({ target_id }) => target_id);
    const { texts, details, reason } = auditedPlain(event);
    return {
      title: event.title,
      revision: event.revision,
      fields: {
        ...texts,
        slug: event.slug,
        status: event.status,
        date: event.date,
        author: event.author_id,
        image: event.image_id,
        start_date: event.start_date,
        end_date: event.end_date,
        timezone: event.timezone,
        all_day: event.all_day === 1,
        cost: JSON.parse(event.cost),
        ...details,
        event_status: event.event_status,
        ...reason,
        attendance_mode: event.attendance_mode,
        online_access: event.online_access,
        door_time: event.door_time,
        accessibility: event.accessibility,
        post_parent: event.parent_id,
        categories: idsOf('category'),
        tags: idsOf('tag'),
        ...Object.fromEntries(Object.values(linkedPostKinds).map(({ name }) => [name, idsOf(name)])),
      },
      texts: await auditedTexts(db, { kind: 'event', id }),
      secret: { post_password: event.password, online_url: event.online_url },
    };
  },
  async mayChange({ viewer, context }, id) {
    const event = await findEvent(context.db, id);
    return event !== undefined && mayEdit(viewer, ownedAs(event));
  },
  restoring: { endpoint: 'events.update' },
};
