import { queries, read, refresh } from '../../data/queries.ts';
import { gapAfter, type ReadPage } from './gap-after.ts';
import { KINDS, type Kind } from './kinds.ts';

export interface Gap {
  kind: Kind;
  id: number;
}

/** The next record without texts in a language: after this one, then from the first of each kind on. */
export async function nextGap(now: Gap, language: string): Promise<Gap | undefined> {
  await refresh('/admin/v1/translations');
  const order = [now.kind, ...KINDS.filter((kind) => kind !== now.kind)];
  for (const kind of order) {
    const readPage: ReadPage = (page) =>
      queries.fetchQuery(read('GET /admin/v1/translations/missing', { kind, language, page, per_page: 100 }));
    const id = await gapAfter(kind === now.kind ? now.id : 0, readPage);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}
