import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Media } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBatch } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { t } from './texts.ts';

interface MediaActsProps {
  /** The selected ones. */
  pictures: readonly Media[];
  onDone: () => void;
}

/** In how many places some pictures are shown. */
const useUses = (ids: readonly number[], isOn: boolean) =>
  useQuery({
    queryKey: ['GET /admin/v1/media/{id}/used-by', ...ids],
    enabled: isOn,
    queryFn: async () => {
      const uses = await Promise.all(ids.map((id) => call('GET /admin/v1/media/{id}/used-by', { id })));
      return uses.filter(({ total, is_logo, is_in_site_texts }) => total > 0 || is_logo || is_in_site_texts).length;
    },
  });

/** What is done with several pictures. */
export function MediaActs({ pictures, onDone }: MediaActsProps) {
  const [isAsking, setAsking] = useState(false);
  const bulk = useBatch<Media>(({ id }) => ({
    ...{ method: 'DELETE', path: `/calendar/admin/v1/media/${id}`, body: { force: true } },
  }));
  const ids = pictures.map(({ id }) => id);
  const uses = useUses(ids, isAsking);
  const remove = async () => {
    setAsking(false);
    const { changed } = await bulk.start(t('delete.running'), pictures);
    if (changed.length > 0) toast(t('deleted', { count: changed.length }));
    onDone();
    await refresh('/admin/v1/media');
  };
  return (
    <>
      <BulkBar count={pictures.length} onClear={onDone}>
        <Button icon="trash" look="bad" onPress={() => setAsking(true)}>
          {t('delete.some', { count: pictures.length })}
        </Button>
      </BulkBar>
      {isAsking && (
        <DeleteDialog
          count={pictures.length}
          used={uses.data}
          error={uses.error ?? undefined}
          onDelete={remove}
          onClose={() => setAsking(false)}
        />
      )}
      <BulkReport bulk={bulk} nameOf={({ title }) => title} />
    </>
  );
}
