import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe, useRight, useSite } from '../frame/account.ts';
import { useContentLanguage } from '../frame/content-language.ts';
import { read } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { Pager } from '../parts/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { PictureGrid } from '../pictures/picture-grid.tsx';
import { UploadArea } from '../pictures/upload-area.tsx';
import { DescribeWalk } from './describe-walk.tsx';
import './media.css';
import { MediaActs } from './media-acts.tsx';
import { MediaPanel } from './media-panel.tsx';
import { t } from './texts.ts';
import { MEDIA_VIEWS, type MediaView } from './views.ts';

const route = getRouteApi('/media');

const PER_PAGE = 48;

/** How many pictures have no alternative text; `author` leaves out those of others. */
const useWithoutAlt = (language: string, author: { author?: number }) =>
  useQuery(read('GET /admin/v1/media', { without_alt: language, ...author, per_page: 1 })).data?.total ?? 0;

/** The library of pictures. */
export function Screen() {
  const { view = 'all', search = '', page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const { languages } = useSite();
  const language = useContentLanguage() ?? languages[0] ?? '';
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [isDescribing, setDescribing] = useState(false);
  const me = useMe();
  const describable = useRight('edit_others') ? {} : { author: me.id };
  const withoutAlt = useWithoutAlt(language, describable);
  const asked = { all: {}, unused: { unused: true }, without_alt: { without_alt: language } }[view];
  const input = { ...asked, ...(search && { search }), page, per_page: PER_PAGE };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/media', input, { keepsPrevious: true }));
  const show = (next: { view?: MediaView; search?: string; page?: number; open?: number | undefined }) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
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
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data?.total === 0 && <Empty icon="media" text={t(search || view !== 'all' ? 'none_found' : 'none')} />}
      {data && data.total > 0 && (
        <>
          <PictureGrid
            label={t('pictures')}
            pictures={data.media}
            selected={selected}
            onSelect={setSelected}
            onOpen={({ id }) => show({ open: id, page })}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => show({ page: next })} />
          <MediaActs pictures={data.media.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
        </>
      )}
      {open && <MediaPanel key={open} id={open} onClose={() => show({ open: undefined, page })} />}
      {isDescribing && <DescribeWalk language={language} {...describable} onClose={() => setDescribing(false)} />}
    </Page>
  );
}
