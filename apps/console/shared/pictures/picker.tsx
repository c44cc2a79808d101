import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Empty } from '../../ui/states.tsx';
import { SearchBox } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { PictureGrid } from './picture-grid.tsx';
import { t } from './pictures.ts';
import { UploadArea } from './upload-area.tsx';

/** Few enough that a page of them fits a dialog. */
const PER_PAGE = 12;

interface PickerProps {
  onPick: (picture: Media) => void;
  onClose: () => void;
}

/** The library of pictures, newest first, to choose one of it or to upload one. */
export function Picker({ onPick, onClose }: PickerProps) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const input = { page, per_page: PER_PAGE, ...(search && { search }) };
  const list = useQuery(read('GET /admin/v1/media', input, { keepsPrevious: true }));
  const find = (words: string) => {
    setSearch(words);
    setPage(1);
  };
  return (
    <DialogBox title={t('choose')} onClose={onClose}>
      <UploadArea isSingle onUploaded={([picture]) => picture && onPick(picture)} />
      <SearchBox label={t('search')} value={search} onChange={find} />
      <PagedList
        query={list}
        rows={3}
        empty={<Empty icon="media" text={t(search ? 'none_found' : 'none')} />}
        page={page}
        onPage={setPage}
      >
        {(data) => <PictureGrid label={t('pictures')} pictures={data.media} onOpen={onPick} />}
      </PagedList>
    </DialogBox>
  );
}
