import { z } from 'zod';
import { RenderedJson, withRenderedList } from '../../lib/rendered-json.ts';
import { joined } from '../../lib/text/joined.ts';
import { type EndpointResponse, ok } from '../core/endpoint.ts';
import { ApiError, type ErrorCode } from '../core/errors.ts';
import { encodeQuery, type QueryValue } from '../core/urls.ts';
import { integer, type SiteDefaults, sharedParameter, withDefault } from '../input/schemas.ts';
import { link } from './output.ts';

/** Maximum page size; calendar lists lower larger ones to it. */
const MAX_PER_PAGE = 100;
const MAX_PAGE = 1_000_000;

const perPage = <T>(schema: z.ZodType<T>) => withDefault(schema, (site: SiteDefaults) => site.perPage);

/** Headers of the calendar lists. */
export const LIST_HEADERS = ['X-TEC-Total', 'X-TEC-TotalPages'] as const;

/** Parameters of the calendar lists. */
export const pageFields = {
  page: sharedParameter('page', withDefault(integer('Page of results, from 1.', { min: 1 }), 1)),
  per_page: sharedParameter(
    'per_page',
    perPage(integer(`Items per page; values over ${MAX_PER_PAGE} are lowered to ${MAX_PER_PAGE}.`, { min: 1 })),
  ),
};

/** A slice of a list; `offset` counts items from 0. */
export interface Page {
  page: number;
  perPage: number;
  offset: number;
}

/** The requested page; by default the first, with `preset` items. */
export function pageOf(input: { page?: number; per_page?: number }, preset: number): Page {
  const perPage = Math.min(input.per_page ?? preset, MAX_PER_PAGE);
  const page = Math.min(input.page ?? 1, MAX_PAGE);
  return { page, perPage, offset: (page - 1) * perPage };
}

/** Parts of the response to a list. */
export interface ListResponse {
  /** Member of the body with the list. */
  key: string;
  /** Values, or the JSON of each item. */
  items: readonly unknown[] | readonly RenderedJson[];
  total: number;
  page: Page;
  /** Address of the list, without a query. */
  url: string;
  /** All effective parameters except `page`, in the order of the links. */
  params: Readonly<Record<string, QueryValue>>;
  /** Error for a page after the last one; without it, such a page is an empty list. */
  pastTheEnd?: ErrorCode;
  /** See `EndpointResponse`. */
  freshUntil?: number;
}

/** Shape of a member with the items of a list. The cast is needed because TypeScript widens a computed key. */
const membersOf = <K extends string, T>(key: K, item: z.ZodType<T>) =>
  ({ [key]: z.array(item) }) as Record<K, z.ZodArray<z.ZodType<T>>>;

/** Schema of the envelope built by `listResponse`. */
export const listSchema = <K extends string, T>(key: K, item: z.ZodType<T>, id: string) =>
  z
    .object({
      ...membersOf(key, item),
      rest_url: link,
      next_rest_url: link.optional(),
      previous_rest_url: link.optional(),
      total: z.int(),
      total_pages: z.int(),
    })
    .meta({ id });

/** Body of a calendar list of items. */
export type ListOf<K extends string, T> = z.output<ReturnType<typeof listSchema<K, T>>>;

/**
 * Number of pages of a list.
 * @throws {ApiError} `pastTheEnd` for a page after the last one; the first one always exists
 */
export function countPages({ total, page, pastTheEnd }: Pick<ListResponse, 'total' | 'page' | 'pastTheEnd'>): number {
  const pages = Math.ceil(total / page.perPage);
  if (pastTheEnd && page.page > 1 && page.page > pages) throw new ApiError(pastTheEnd);
  return pages;
}

/** The envelope of the calendar lists. `next_rest_url` and `previous_rest_url` exist only if there is such a page. */
export function listResponse({
  key,
  items,
  total,
  page,
  url,
  params,
  pastTheEnd,
  freshUntil,
}: ListResponse): EndpointResponse {
  const totalPages = countPages({ total, page, pastTheEnd });
  const link = (number: number) => joined(url, '?', encodeQuery({ page: number, ...params }));
  const others = {
    rest_url: link(page.page),
    ...(page.page < totalPages && { next_rest_url: link(page.page + 1) }),
    ...(page.page > 1 && page.page - 1 <= totalPages && { previous_rest_url: link(page.page - 1) }),
    total,
    total_pages: totalPages,
  };
  const body = isRendered(items) ? withRenderedList(key, items, others) : { [key]: items, ...others };
  return { ...ok(body, { 'X-TEC-Total': total, 'X-TEC-TotalPages': totalPages }), freshUntil };
}

const isRendered = (items: ListResponse['items']): items is readonly RenderedJson[] =>
  items.length > 0 && items.every((item) => item instanceof RenderedJson);

/** Headers of the ticketing lists. */
export const COUNTED_LIST_HEADERS = ['X-ET-TOTAL', 'X-ET-TOTAL-PAGES'] as const;

/** Pagination parameters of the ticketing lists. They refuse page sizes that the calendar lists lower. */
export const countedPageFields = {
  page: pageFields.page,
  per_page: sharedParameter('counted_per_page', perPage(integer('Items per page.', { min: 1, max: MAX_PER_PAGE }))),
  offset: sharedParameter(
    'offset',
    integer('Number of items to skip before the first page. Totals still include them.'),
  ),
};

/** Like `pageOf`; `offset` shifts the start of the first page. */
export function countedPageOf(
  { offset = 0, ...input }: { page?: number; per_page?: number; offset?: number },
  preset: number,
): Page {
  const page = pageOf(input, preset);
  return { ...page, offset: page.offset + offset };
}

/** Schema of the envelope built by `countedListResponse`. */
export const countedListSchema = <K extends string, T>(key: K, item: z.ZodType<T>, id: string) =>
  z
    .object({
      rest_url: link,
      total: z.int(),
      total_pages: z.int(),
      ...membersOf(key, item),
    })
    .meta({ id });

interface CountedListResponse extends Omit<ListResponse, 'pastTheEnd'> {
  /** See `EndpointResponse`. */
  showsSeats?: boolean;
}

/**
 * The envelope of the ticketing lists: `rest_url` repeats the parameters of the request, and there are no links to
 * other pages.
 */
export function countedListResponse({
  key,
  items,
  total,
  page,
  url,
  params,
  ...kept
}: CountedListResponse): EndpointResponse {
  const totalPages = countPages({ total, page, pastTheEnd: 'invalid-page-number' });
  const query = encodeQuery(params);
  const body = { rest_url: query === '' ? url : `${url}?${query}`, total, total_pages: totalPages, [key]: items };
  return { ...ok(body, { 'X-ET-TOTAL': total, 'X-ET-TOTAL-PAGES': totalPages }), ...kept };
}
