import { can } from '../../http/core/auth.ts';
import type { AuditedKind } from '../audit/kind.ts';
import { auditedTexts } from '../translations/store.ts';
import { findImages } from './images.ts';

/** Audit of images. */
export const auditedImage: AuditedKind = {
  name: 'media',
  async snapshot(db, id) {
    const image = (await findImages(db, [id])).get(id);
    if (!image) return undefined;
    const { file, author_id, alt, focus_x: x, focus_y: y, revision } = image;
    return {
      title: file.split('/').at(-1) ?? '',
      revision,
      fields: { file, author: author_id, alt, focus: { x, y } },
      texts: await auditedTexts(db, { kind: 'media', id }),
    };
  },
  async mayChange({ viewer, context }, id) {
    const image = (await findImages(context.db, [id])).get(id);
    const isOwn = image?.author_id === viewer.account?.id;
    return image !== undefined && can(viewer, 'upload') && (isOwn || can(viewer, 'edit_others'));
  },
  restoring: { endpoint: 'media.update' },
};
