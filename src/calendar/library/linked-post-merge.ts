import { mayEdit } from '../../http/core/auth.ts';
import { ApiError } from '../../http/core/errors.ts';
import { saveImage } from '../../platform/media/image-storage.ts';
import { overlayTexts } from '../../platform/translations/rules.ts';
import { auditedLinkedPost } from '../linked-posts/audited.ts';
import { asLinkedPostInput, type LinkedPostKind, writeFields } from '../linked-posts/kind.ts';
import { changeLinkedPost, findReferences } from '../linked-posts/save.ts';
import {
  findLinkedPost,
  incrementSequencesOf,
  type LinkedPost,
  type LinkedPostValues,
  updateLinkedPost,
} from '../linked-posts/store.ts';
import { redirectFormerSlugs } from '../posts/former-slugs.ts';
import { existingImage, ownedAs, postFields } from '../posts/post.ts';
import { slugFor } from '../posts/slugs.ts';
import { isVisibleTo } from '../posts/visibility.ts';
import type { MergeKind } from './merge-kind.ts';

/** Merges do not change the author and the publication of a record. */
const { image: _image, ...PUBLICATION } = postFields;

/** Merged records of these kinds go to the trash. */
export const linkedPostMerge = (kind: LinkedPostKind): MergeKind<LinkedPost> => ({
  name: kind.name,
  plural: kind.plural,
  fields: Object.fromEntries(Object.entries(writeFields(kind)).filter(([name]) => !Object.hasOwn(PUBLICATION, name))),
  audited: auditedLinkedPost(kind),
  titleOf: ({ title }) => title,
  find: (db, id) => findLinkedPost(db, kind.name, id),
  isVisibleTo,
  mayChange: (viewer, post) => post !== undefined && mayEdit(viewer, ownedAs(post)),
  check({ status }) {
    if (status === 'trash') throw new ApiError(`${kind.name}-is-in-trash`);
  },
  async lock(db, ids) {
    for (const id of ids.toSorted((a, b) => a - b)) await db.dialect.lock(db, `post-${id}`);
  },
  findChoice: async (input, lookup) => ({
    input,
    references: await findReferences(kind, input, { ...lookup, isUpdate: true }),
  }),
  async change({ db, ctx }, current, { input, references, image }) {
    const imageId = image ? await saveImage(db, image) : await existingImage(db, references);
    await changeLinkedPost(kind, { current, input: asLinkedPostInput(input) }, { db, ctx, imageId });
  },
  replaceTexts: (db, post, { own, translations }) =>
    updateLinkedPost(db, post, { values: valuesOf(overlayTexts(post, own)), translations }),
  async announce(db, id) {
    if (kind.placeOf) await incrementSequencesOf(db, { kind: kind.name, id });
  },
  childrenOf: async () => [],
  async retire({ db, ctx }, post, survivor) {
    await changeLinkedPost(kind, { current: post, input: { status: 'trash' } }, { db, ctx });
    await redirectFormerSlugs(db, { kind: kind.name, from: post.id, to: survivor.id });
  },
  async restore(db, { record, formerSlugs }, survivorId) {
    const { id } = record;
    const current = await findLinkedPost(db, kind.name, id);
    if (current?.status !== 'trash') return false;
    await redirectFormerSlugs(db, { kind: kind.name, from: survivorId, to: id, only: formerSlugs });
    const values = { ...valuesOf(record), slug: await slugFor(db, record) };
    await updateLinkedPost(db, current, { values });
    return true;
  },
  revert: (db, current, { record, translations }) =>
    updateLinkedPost(db, current, { values: valuesOf(record), translations }),
  recount: async () => undefined,
});

const valuesOf = ({ id: _id, kind: _kind, revision: _revision, ...values }: LinkedPost): LinkedPostValues => values;
