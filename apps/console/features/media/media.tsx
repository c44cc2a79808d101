import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { hasRight, useMe, useRight, useSite } from '../../data/account.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { useContentLanguage } from '../../data/content-language.ts';
import { read, readNow, refresh } from '../../data/queries.ts';
import { PictureGrid } from '../../shared/pictures/picture-grid.tsx';
import { UploadArea } from '../../shared/pictures/upload-area.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty } from '../../ui/states.tsx';
import { BulkBar, BulkReport } from '../../ui/table/bulk-bar.tsx';
import { FilterBar, SearchBox, Views } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { allowedOf, MOST_PER_PAGE, type Selection, useSelection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { DeleteSome, type Deletion, type ListFilters } from './delete.tsx';
import { DescribeWalk } from './describe-walk.tsx';
import { MediaPanel } from './media-panel.tsx';
import { MEDIA_VIEWS, type MediaView, t } from './routes.ts';
import './media.css';

const route = getRouteApi('/media');

const PER_PAGE = 48;
const NONE: readonly Media[] = [];

/** Query of the number of pictures without alternative text; `author` limits it to those of one account. */
const useWithoutAlt = (language: string, author: { author?: number }) =>
  useQuery(read('GET /admin/v1/media', { without_alt: language, ...author, per_page: 1 })).data?.total ?? 0;

/** A page of pictures, and the selection. */
function usePictures(filters: ListFilters, page: number) {
  const input = { ...filters, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/media', input, { keepsPrevious: true }));
  const readPage = async (number: number) => {
    const answer = await readNow('GET /admin/v1/media', { ...filters, page: number, per_page: MOST_PER_PAGE });
    return { rows: answer.media, pages: answer.total_pages };
  };
  const selection = useSelection({ rows: list.data?.media ?? NONE, total: list.data?.total ?? 0, readPage });
  return { list, selection };
}

/** Media library. */
export function Screen() {
  const { view = 'all', search = '', page = 1, open: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const { languages } = useSite();
  const language = useContentLanguage() ?? languages[0] ?? '';
  const [isDescribing, setDescribing] = useState(false);
  const me = useMe();
  const describable = useRight('edit_others') ? {} : { author: me.id };
  const withoutAlt = useWithoutAlt(language, describable);
  const asked = { all: {}, unused: { unused: true }, without_alt: { without_alt: language } }[view];
  const filters = { ...asked, ...(search && { search }) };
  const { list, selection } = usePictures(filters, page);
  const open = (id: number | undefined) => void navigate({ search: (now) => ({ ...now, open: id }) });
  const show = (next: { view?: MediaView; search?: string; page?: number }) => {
    selection.clear();
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  };
  const mayUpload = useRight('upload');
  return (
    <Page
      title={t('title')}
      actions={
        withoutAlt > 0 && (
          <Button icon="edit" onPress={() => setDescribing(true)}>
            {t('describe', { count: withoutAlt })}
          </Button>
        )
      }
    >
      {mayUpload && <UploadArea onUploaded={() => show({ view: 'all', search: '' })} />}
      <FilterBar>
        <Views
          label={t('views')}
          choices={MEDIA_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      <PagedList
        query={list}
        empty={<Empty icon="media" text={t(search || view !== 'all' ? 'none_found' : 'none')} />}
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {(data) => (
          <PictureGrid
            label={t('pictures')}
            pictures={data.media}
            selected={selection.ids}
            onSelect={selection.select}
            onOpen={({ id }) => open(id)}
          />
        )}
      </PagedList>
      <MediaActions selection={selection} filters={filters} />
      {opened && <MediaPanel key={opened} id={opened} onClose={() => open(undefined)} />}
      {isDescribing && <DescribeWalk language={language} {...describable} onClose={() => setDescribing(false)} />}
    </Page>
  );
}

interface MediaActionsProps {
  selection: Selection<Media>;
  /** Filters of the list. */
  filters: ListFilters;
}

/** Actions on the selected pictures. */
function MediaActions({ selection, filters }: MediaActionsProps) {
  const me = useMe();
  const mayDelete = ({ author }: Media) => author === String(me.id) || hasRight(me, 'edit_others');
  const allowed = allowedOf(selection, mayDelete);
  const [isAsking, setAsking] = useState(false);
  // Pictures that were unused at the time of the question are not deleted if they came into use since.
  const isForced = useRef(false);
  const bulk = useBatch<Media>(({ id }) => ({
    method: 'DELETE',
    path: `/calendar/admin/v1/media/${id}`,
    body: { force: isForced.current },
  }));
  const remove = async ({ pictures, shown }: Deletion) => {
    setAsking(false);
    isForced.current = shown > 0;
    await bulk.start(t('delete.running'), pictures, async ({ changed }) => {
      if (changed.length > 0) toast(t('deleted', { count: changed.length }));
      selection.clear();
      await refresh('/admin/v1/media');
    });
  };
  useShortcut('#', t('keys.delete'), () => setAsking(true), { isOn: allowed.count > 0 });
  return (
    <>
      <BulkBar count={selection.count} onClear={selection.clear} all={selection} leftOut={allowed.leftOut}>
        <Button icon="trash" look="bad" onPress={() => setAsking(true)}>
          {t('delete.some', { count: allowed.count })}
        </Button>
      </BulkBar>
      {isAsking && (
        <DeleteSome selection={allowed} filters={filters} onDelete={remove} onClose={() => setAsking(false)} />
      )}
      <BulkReport bulk={bulk} nameOf={({ title }) => title} />
    </>
  );
}
