import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { read, refresh } from '../../data/queries.ts';
import type { RecordKind } from '../../shared/record/use-record.ts';
import { t } from './routes.ts';
import type { Taxonomy } from './terms.ts';

/** The fields of a term that its form edits. Tags have no parent. */
export interface TermFields {
  [name: string]: string | number;
  name: string;
  slug: string;
  parent: number;
  description: string;
  /** `#rrggbb`, of categories; empty for none. */
  color: string;
}

/** Moves a refusal to its field. */
export function atField(error: unknown): unknown {
  if (isProblem(error, 'term_exists')) return error.at('name', t('name.taken'));
  if (isProblem(error, 'duplicate_term_slug')) return error.at('slug', t('slug.taken'));
  return error;
}

const sentOf = ({ color, ...patch }: Partial<TermFields>) => ({
  ...patch,
  ...(color !== undefined && { color: color || null }),
});

const kindOf = (taxonomy: Taxonomy): RecordKind<Term, TermFields> => ({
  path: `/events/v1/${taxonomy}`,
  read: (id) => read(`GET /events/v1/${taxonomy}/{id}`, { id }),
  async write(id, patch, options) {
    try {
      return await call(`PATCH /events/v1/${taxonomy}/{id}`, { id, ...sentOf(patch) }, options);
    } catch (error) {
      throw atField(error);
    } finally {
      // After a refusal, other terms may have changed.
      void refresh(`/admin/v1/${taxonomy}`);
    }
  },
  fieldsOf: ({ name, slug, parent = 0, description, color }) => ({
    name,
    slug,
    parent,
    description,
    color: color ?? '',
  }),
  isDraft: () => false,
});

/** Categories and tags in a form. */
export const termKinds = { categories: kindOf('categories'), tags: kindOf('tags') };
