import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Media } from '../../../packages/client/src/marquee-client.ts';
import { hasRight, useMe } from '../frame/account.ts';
import { read, refresh } from '../frame/queries.ts';
import { useShortcut } from '../frame/shortcuts.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBatch } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { FinalDialog } from './final-dialog.tsx';
import { t } from './texts.ts';

interface MediaActsProps {
  /** The selected ones. */
  pictures: readonly Media[];
  onDone: () => void;
}

/** How many of some pictures are shown anywhere. */
const useNumberShown = (ids: number[], isOn: boolean) =>
  useQuery(read('GET /admin/v1/media', { include: ids, unused: false, per_page: 1 }, { isOn }));

function consequenceOf(shown: number | undefined, count: number): string | undefined {
  if (shown === undefined) return undefined;
  if (shown === 0) return t('delete.unused');
  return count === 1 ? t('delete.shown') : t('delete.used', { count: shown });
}

/** What is done with several pictures. */
export function MediaActs({ pictures: selected, onDone }: MediaActsProps) {
  const me = useMe();
  const isOwn = ({ author }: Media) => String(author) === String(me.id) || hasRight(me, 'edit_others');
  const pictures = selected.filter(isOwn);
  const [isAsking, setAsking] = useState(false);
  const count = pictures.length;
  const { data, error } = useNumberShown(
    pictures.map(({ id }) => id),
    isAsking,
  );
  const shown = data?.total;
  const bulk = useBatch<Media>(({ id }) => ({
    ...{ method: 'DELETE', path: `/calendar/admin/v1/media/${id}` },
    // What has come to be shown since is not taken away unasked.
    body: { force: shown !== 0 },
  }));
  const remove = async () => {
    setAsking(false);
    await bulk.start(t('delete.running'), pictures, async ({ changed }) => {
      if (changed.length > 0) toast(t('deleted', { count: changed.length }));
      onDone();
      await refresh('/admin/v1/media');
    });
  };
  useShortcut('#', t('keys.delete'), () => setAsking(true), { isOn: count > 0 });
  return (
    <>
      <BulkBar count={selected.length} onClear={onDone} leftOut={selected.length - count}>
        <Button icon="trash" look="bad" onPress={() => setAsking(true)}>
          {t('delete.some', { count })}
        </Button>
      </BulkBar>
      {isAsking && (
        <FinalDialog
          title={t('delete.some', { count })}
          consequence={consequenceOf(shown, count)}
          error={error ?? undefined}
          onRun={remove}
          onClose={() => setAsking(false)}
        />
      )}
      <BulkReport bulk={bulk} nameOf={({ title }) => title} />
    </>
  );
}
