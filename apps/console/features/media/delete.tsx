import { useState } from 'react';
import type { ImageUses, Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { focusTable } from '../../ui/focus.ts';
import { toast } from '../../ui/toast.tsx';
import { FinalDialog } from './final-dialog.tsx';
import { placesOf } from './media-uses.tsx';
import { t } from './routes.ts';

interface DeleteProps {
  record: Media;
  uses: ImageUses | undefined;
  onDeleted: () => void;
}

const consequenceOf = (count: number) => (count === 0 ? t('delete.unused') : t('delete.places', { count }));

/** Deletes a picture for good, also where it is shown. */
export function Delete({ record: { id, revision }, uses, onDeleted }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const places = uses && placesOf(uses);
  const remove = async () => {
    // What has come to be shown since is not taken away unasked.
    await call('DELETE /admin/v1/media/{id}', { id, force: places !== 0 }, { revision });
    toast(t('deleted', { count: 1 }));
    onDeleted();
    await refresh('/admin/v1/media', { gone: id });
    focusTable();
  };
  return (
    <>
      <Button icon="trash" onPress={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking && (
        <FinalDialog
          title={t('delete.some', { count: 1 })}
          consequence={places === undefined ? undefined : consequenceOf(places)}
          onRun={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
