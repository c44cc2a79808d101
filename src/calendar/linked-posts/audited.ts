import { mayEdit } from '../../http/core/auth.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { auditedTexts } from '../../platform/translations/store.ts';
import { ownedAs } from '../posts/post.ts';
import type { LinkedPostKind } from './kind.ts';
import { findLinkedPost } from './store.ts';

/** Audit of venues, organizers and other linked posts. */
export const auditedLinkedPost = ({ name, plural, attributes }: LinkedPostKind): AuditedKind => ({
  name,
  async snapshot(db, id) {
    const post = await findLinkedPost(db, name, id);
    if (!post) return undefined;
    return {
      title: post.title,
      revision: post.revision,
      fields: {
        [name]: post.title,
        description: post.description,
        slug: post.slug,
        status: post.status,
        date: post.date,
        author: post.author_id,
        image: post.image_id,
        ...Object.fromEntries(Object.keys(attributes).map((attribute) => [attribute, post.attributes[attribute]])),
        show_map: post.show_map === 1,
        show_map_link: post.show_map_link === 1,
        geo_lat: post.geo_lat,
        geo_lng: post.geo_lng,
      },
      texts: await auditedTexts(db, { kind: name, id }),
    };
  },
  async mayChange({ viewer, context }, id) {
    const post = await findLinkedPost(context.db, name, id);
    return post !== undefined && mayEdit(viewer, ownedAs(post));
  },
  restoring: { endpoint: `${plural}.update` },
});
