import { LoadedList, type LoadedListProps } from '../states.tsx';
import { Pager } from './data-table.tsx';

interface PagedListProps<D> extends LoadedListProps<D> {
  page: number;
  onPage: (page: number) => void;
  /** Label of the pager, on screens with several. */
  pagesLabel?: string;
}

/** A page of a list, with links to the others below it. */
export function PagedList<D extends Parameters<typeof Pager>[0]['list']>(props: PagedListProps<D>) {
  const { page, onPage, pagesLabel, children, ...list } = props;
  return (
    <LoadedList {...list}>
      {(data) => (
        <>
          {children(data)}
          <Pager page={page} list={data} onPage={onPage} {...(pagesLabel !== undefined && { label: pagesLabel })} />
        </>
      )}
    </LoadedList>
  );
}
