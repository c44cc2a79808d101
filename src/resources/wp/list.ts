import { z } from 'zod';
import { ok, type Reply } from '../../http/endpoint.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { countedPageFields, countedPageOf, type Page } from '../../http/pagination.ts';
import { oneOf, text } from '../../http/schemas.ts';
import { encodeQuery, type QueryValue } from '../../http/urls.ts';

/** Default page size. */
const PER_PAGE = 10;

/** Headers with the totals of a list. */
export const LIST_HEADERS = ['X-WP-Total', 'X-WP-TotalPages'] as const;

export const pageFields = countedPageFields;

export const pageOf = (input: Parameters<typeof countedPageOf>[0]): Page => countedPageOf(input, PER_PAGE);

/** Parameters of all reads. */
export const viewFields = {
  context: oneOf('`edit` also gives the texts as they are stored, to those who may edit.', ['view', 'embed', 'edit']),
  _embed: text('Adds the records behind `_links`: `wp:featuredmedia`, `wp:term`, or both without a value.', {
    max: 200,
  }),
};

export type EmbeddedKind = 'wp:featuredmedia' | 'wp:term';

/** Which linked records `_embed` requests. */
export function embeds(asked: string | undefined, kind: EmbeddedKind): boolean {
  if (asked === undefined) return false;
  return ['', '1', 'true'].includes(asked) || asked.split(',').includes(kind);
}

export const linksSchema = z.record(
  z.string(),
  z.array(z.object({ href: z.string(), embeddable: z.boolean().optional(), taxonomy: z.string().optional() })),
);

interface List {
  items: readonly unknown[];
  total: number;
  page: Page;
  /** Address of the list, without a query. */
  url: string;
  /** The parameters repeated in links to other pages. */
  params: Readonly<Record<string, QueryValue>>;
  /** Error for a page past the last one; without it such a page is empty. */
  pastTheEnd?: ErrorCode;
}

/** Maximum length of `Link`: proxies refuse answers with long headers, and the totals suffice. */
const MAX_LINKS = 2000;

/** A list reply: the items only, with totals and links to adjacent pages in the headers. */
export function listReply({ items, total, page, url, params, pastTheEnd }: List): Reply {
  const totalPages = Math.ceil(total / page.perPage);
  if (pastTheEnd && page.page > 1 && page.page > totalPages) throw new ApiError(pastTheEnd);
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
