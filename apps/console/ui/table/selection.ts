import { useState } from 'react';
import { readPages } from '../../../client/bulk.ts';

/** Maximum number of records that one action changes. */
export const MOST_SELECTED = 2000;

/** Maximum number of rows per page of the server. */
export const MOST_PER_PAGE = 100;

/** Reads the rows when an action starts. */
export type RowSource<R> = (options: { signal?: AbortSignal; onProgress?: (read: number) => void }) => Promise<R[]>;

export interface Selection<R> {
  /** Ids of the selected rows of this page. */
  ids: ReadonlySet<number>;
  /** The selected rows of this page. */
  rows: readonly R[];
  count: number;
  /** Number of rows that match the filters. */
  total: number;
  /** Whether all matches of the filters are selected, on all pages. */
  isAll: boolean;
  select: (ids: ReadonlySet<number>) => void;
  selectAll: () => void;
  clear: () => void;
  read: RowSource<R>;
}

interface Listed<R> {
  rows: readonly R[];
  total: number;
  /** Reads any page with the filters of the list. */
  readPage: (page: number) => Promise<{ rows: readonly R[]; pages: number }>;
}

const NONE: ReadonlySet<number> = new Set();

/** Selected rows of a list: some of the page, or all matches of the filters. */
export function useSelection<R extends { id: number }>({ rows, total, readPage }: Listed<R>): Selection<R> {
  const [picked, setPicked] = useState(NONE);
  const [wantsAll, setAll] = useState(false);
  const isAll = wantsAll && total <= MOST_SELECTED;
  const selected = isAll ? rows : rows.filter(({ id }) => picked.has(id));
  const set = (ids: ReadonlySet<number>, all: boolean) => {
    setPicked(ids);
    setAll(all);
  };
  return {
    ids: isAll ? new Set(rows.map(({ id }) => id)) : picked,
    rows: selected,
    count: isAll ? total : selected.length,
    total,
    isAll,
    select: (ids) => set(ids, false),
    selectAll: () => set(NONE, true),
    clear: () => set(NONE, false),
    read: (options) =>
      isAll ? readPages(readPage, { ...options, most: MOST_SELECTED }) : Promise.resolve([...selected]),
  };
}

/** Limits a selection to the rows that an account may change, and counts the excluded ones of the page. */
export function allowedOf<R>(
  selection: Selection<R>,
  isAllowed: (row: R) => boolean,
): Selection<R> & { leftOut: number } {
  const rows = selection.rows.filter(isAllowed);
  return {
    ...selection,
    rows,
    count: selection.isAll ? selection.count : rows.length,
    leftOut: selection.isAll ? 0 : selection.rows.length - rows.length,
    read: async (options) => (await selection.read(options)).filter(isAllowed),
  };
}
