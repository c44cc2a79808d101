import { z } from 'zod';
import type { termSchema as nativeSchema } from '../calendar/terms/view.ts';
import type { Urls } from '../http/core/urls.ts';
import { escapeText } from '../lib/text/html.ts';
import { linksSchema } from './list.ts';

/** Category or tag; rendered by `renderTerm`. */
export const termSchema = z
  .object({
    id: z.int(),
    count: z.int(),
    description: z.string(),
    link: z.string(),
    name: z.string().describe('HTML: `&`, `<` and `>` are escaped.'),
    slug: z.string(),
    taxonomy: z.string(),
    parent: z.int().optional(),
    meta: z.array(z.unknown()),
    _links: linksSchema,
  })
  .meta({ id: 'WpTerm', description: 'A category or a tag.' });

/** Path of a taxonomy, below the namespace. */
const termPath = (taxonomy: string): string => (taxonomy === 'post_tag' ? '/tags' : `/${taxonomy}`);

/** Renders a term, from its form in its own routes. */
export function renderTerm(
  { id, count, description, name, slug, taxonomy, parent, url }: z.output<typeof nativeSchema>,
  urls: Urls,
): z.output<typeof termSchema> {
  const collection = urls.rest('wp', termPath(taxonomy));
  return {
    id,
    count,
    description,
    link: url,
    name: escapeText(name),
    slug,
    taxonomy,
    ...(parent !== undefined && { parent }),
    meta: [],
    _links: {
      self: [{ href: `${collection}/${id}` }],
      collection: [{ href: collection }],
      ...(parent && { up: [{ href: `${collection}/${parent}`, embeddable: true }] }),
    },
  };
}
