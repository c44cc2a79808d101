/** A page of the records of a kind that lack texts, the oldest first. */
export type ReadPage = (page: number) => Promise<{ missing: readonly { id: number }[]; total_pages: number }>;

/** The id of the record after one, on whichever page it is; the first other one if none comes after it. */
export async function gapAfter(last: number, readPage: ReadPage): Promise<number | undefined> {
  let first: number | undefined;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { missing, total_pages } = await readPage(page);
    const next = missing.find(({ id }) => id > last);
    if (next) return next.id;
    first ??= missing.find(({ id }) => id !== last)?.id;
    pages = total_pages;
  }
  return first;
}
