import type { Params } from './address.ts';
import { ApiError } from './errors.ts';

/** Members of every list response besides its items. */
export interface ListAnswer {
  total: number;
  total_pages: number;
  /** URL of the next page, with all filters. */
  next_rest_url?: string;
}

/** The items of a list response, which has one member that is a list. */
export type ItemOf<List> = { [Key in keyof List]-?: List[Key] extends (infer Item)[] ? Item : never }[keyof List];

/** One page after another, requested on demand. */
export async function* pagesOf<List extends ListAnswer>(
  ask: (params: Params) => Promise<List>,
  params: Params,
): AsyncGenerator<List, void, undefined> {
  let page = Number(params.page ?? 1);
  let list = await ask(params);
  yield list;
  let filter = params;
  while (page < list.total_pages) {
    page += 1;
    // The link contains the dates as the server resolved them, so all pages are of the same list.
    filter = { ...filter, ...linkParams(list.next_rest_url), page };
    const next = await ask(filter).catch(endOfList);
    if (!next) return;
    list = next;
    yield list;
  }
}

function linkParams(link: string | undefined): Params {
  return link === undefined ? {} : Object.fromEntries(new URL(link).searchParams);
}

/** A list that became shorter meanwhile has ended. */
function endOfList(error: unknown): undefined {
  if (error instanceof ApiError && /page-number$|page-not-found$/.test(error.code)) return undefined;
  throw error;
}

/** The items of a list response. */
export const itemsOf = <List>(list: List): ItemOf<List>[] =>
  // Exactly one member of a list response is a list.
  (Object.values(list as object).find(Array.isArray) ?? []) as ItemOf<List>[];
