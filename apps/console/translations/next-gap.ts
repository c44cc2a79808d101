import { queries, read, refresh } from '../frame/queries.ts';
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
    const { missing } = await queries.fetchQuery(
      read('GET /admin/v1/translations/missing', { kind, language, per_page: 100 }),
    );
    const others = missing.filter(({ id }) => kind !== now.kind || id !== now.id);
    const next = others.find(({ id }) => kind !== now.kind || id > now.id) ?? others[0];
    if (next) return { kind, id: next.id };
  }
  return undefined;
}
