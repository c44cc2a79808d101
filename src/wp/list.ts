import { z } from 'zod';
import { type EndpointResponse, ok } from '../http/core/endpoint.ts';
import { encodeQuery } from '../http/core/urls.ts';
import { oneOf, text } from '../http/input/schemas.ts';
import {
  countedPageFields,
  countedPageOf,
  countPages,
  type ListResponse,
  type Page,
} from '../http/output/pagination.ts';

/** Default page size. */
const PER_PAGE = 10;

/** Headers with the totals of a list. */
export const LIST_HEADERS = ['X-WP-Total', 'X-WP-TotalPages'] as const;

export const pageFields = countedPageFields;

export const pageOf = (input: Parameters<typeof countedPageOf>[0]): Page => countedPageOf(input, PER_PAGE);

/** Parameters of all reads. */
export const viewFields = {
  context: oneOf('`edit` also returns the stored texts, for users who may edit.', ['view', 'embed', 'edit']),
  _embed: text('Adds the records of `_links`: `wp:featuredmedia`, `wp:term`, or both without a value.', {
    max: 200,
  }),
};

export type EmbeddedKind = 'wp:featuredmedia' | 'wp:term';

/** Which linked records `_embed` requests. */
export function embeds(requested: string | undefined, kind: EmbeddedKind): boolean {
  if (requested === undefined) return false;
  return ['', '1', 'true'].includes(requested) || requested.split(',').includes(kind);
}

export const linksSchema = z.record(
  z.string(),
  z.array(z.object({ href: z.string(), embeddable: z.boolean().optional(), taxonomy: z.string().optional() })),
);

/**
 * Maximum characters of `Link`: proxies reject responses with long headers, and the totals give the same information.
 */
const MAX_LINKS = 2000;

/** A list: the items alone, with totals and links to the previous and next pages in the headers. */
export function listResponse({
  items,
  total,
  page,
  url,
  params,
  pastTheEnd,
}: Omit<ListResponse, 'key'>): EndpointResponse {
  const totalPages = countPages({ total, page, pastTheEnd });
  const link = (number: number, rel: string) => `<${url}?${encodeQuery({ ...params, page: number })}>; rel="${rel}"`;
  const links = [
    ...(page.page > 1 && page.page - 1 <= totalPages ? [link(page.page - 1, 'prev')] : []),
    ...(page.page < totalPages ? [link(page.page + 1, 'next')] : []),
  ].join(', ');
  return ok(items, {
    'X-WP-Total': total,
    'X-WP-TotalPages': totalPages,
    ...(links !== '' && links.length <= MAX_LINKS && { Link: links }),
  });
}
