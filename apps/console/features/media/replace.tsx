import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { ImageUses, Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { refresh } from '../../data/queries.ts';
import { IMAGE_TYPES } from '../../shared/pictures/pictures.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { FinalDialog } from './final-dialog.tsx';
import { placesOf } from './media-uses.tsx';
import { t } from './routes.ts';

interface ReplaceProps {
  record: Media;
  uses: ImageUses | undefined;
}

const consequenceOf = (count: number, file: string) =>
  count === 0 ? t('replace.unused', { file }) : t('replace.places', { count, file });

/** Replaces the file of a picture everywhere it is used. */
export function Replace({ record: { id, revision }, uses }: ReplaceProps) {
  const [file, setFile] = useState<File>();
  const replace = async () => {
    if (!file) return;
    await call('POST /admin/v1/media/{id}/file', { id, file }, { revision });
    setFile(undefined);
    toast(t('replaced'));
    await refresh('/admin/v1/media');
  };
  return (
    <>
      <FileTrigger acceptedFileTypes={IMAGE_TYPES} onSelect={(files) => setFile(files?.[0])}>
        <Button icon="media">{t('replace')}</Button>
      </FileTrigger>
      {file && (
        <FinalDialog
          title={t('replace')}
          consequence={uses && consequenceOf(placesOf(uses), file.name)}
          onRun={replace}
          onClose={() => setFile(undefined)}
        />
      )}
    </>
  );
}
