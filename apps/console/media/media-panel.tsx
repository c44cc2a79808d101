import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { ImageUses, Media } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { useMe, useRight, useSite } from '../frame/account.ts';
import { useContentLanguage } from '../frame/content-language.ts';
import { read, refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { CopyButton } from '../parts/secret.tsx';
import { describe, Failure, RowsLoading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ConflictDialog } from '../record/conflict-dialog.tsx';
import { UnsavedBar } from '../record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../record/use-record.ts';
import { when } from '../when.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { FocusField } from './focus-field.tsx';
import { type MediaFields, mediaKind } from './media-kind.ts';
import { Uses } from './media-uses.tsx';
import { bytesShown } from './size.ts';
import { t } from './texts.ts';

const labelOf = (name: string) => t(`field.${name as 'title'}`);

interface MediaPanelProps {
  id: number;
  onClose: () => void;
}

/** A picture with its texts, its focus point, and where it is shown. */
export function MediaPanel({ id, onClose }: MediaPanelProps) {
  const { data: edited, error, retry } = useRecord(mediaKind, id);
  return (
    <DialogBox isPanel title={edited?.record.title ?? t('title')} onClose={onClose}>
      {error !== undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {!edited && !error && <RowsLoading rows={4} />}
      {edited && <Content edited={edited} onClose={onClose} />}
    </DialogBox>
  );
}

/** Whether the account may change a picture: its own ones, or all. */
function useMayEdit({ author }: Media): boolean {
  const me = useMe();
  const mayAll = useRight('edit_others');
  return mayAll || author === String(me.id);
}

function Content({ edited, onClose }: { edited: EditedRecord<Media, MediaFields>; onClose: () => void }) {
  const { record } = edited;
  const uses = useQuery(read('GET /admin/v1/media/{id}/used-by', { id: record.id }));
  const mayEdit = useMayEdit(record);
  return (
    <div className="media-panel">
      <FocusField picture={record} {...edited.field('focus')} isReadOnly={!mayEdit} />
      <p className="soft">
        {[
          t('dimensions', { width: String(record.width), height: String(record.height) }),
          bytesShown(record.filesize),
          when.ago(record.date_utc),
        ].join(' · ')}
      </p>
      {mayEdit ? <Fields edited={edited} /> : <p>{record.alt}</p>}
      <Uses uses={uses.data} error={uses.error} />
      <div className="actions">
        <CopyButton text={new URL(record.url, location.origin).href} label={t('copy')} />
        {mayEdit && <Replace record={record} />}
        {mayEdit && <Delete record={record} uses={uses.data} onDeleted={onClose} />}
      </div>
    </div>
  );
}

function Fields({ edited }: { edited: EditedRecord<Media, MediaFields> }) {
  const { languages } = useSite();
  const language = useContentLanguage();
  const named = languages.length > 1 && language ? ` (${language})` : '';
  return (
    <>
      <TextField label={labelOf('title')} {...edited.field('title')} />
      <TextField label={`${labelOf('alt')}${named}`} hint={t('alt.hint')} {...edited.field('alt')} rows={2} />
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </>
  );
}

/** Takes another file for the picture; all that show it show the new one. */
function Replace({ record: { id } }: { record: Media }) {
  const [isRunning, setRunning] = useState(false);
  const replace = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    setRunning(true);
    try {
      await call('POST /admin/v1/media/{id}/file', { id, file });
      toast(t('replaced'));
      await refresh('/admin/v1/media');
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    } finally {
      setRunning(false);
    }
  };
  return (
    <FileTrigger acceptedFileTypes={['image/*']} onSelect={(files) => void replace(files)}>
      <Button icon="media" isDisabled={isRunning}>
        {t('replace')}
      </Button>
    </FileTrigger>
  );
}

interface DeleteProps {
  record: Media;
  uses: ImageUses | undefined;
  onDeleted: () => void;
}

function Delete({ record: { id }, uses, onDeleted }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const isUsed = uses && (uses.total > 0 || uses.is_logo || uses.is_in_site_texts);
  const remove = async () => {
    await call('DELETE /admin/v1/media/{id}', { id, force: true });
    toast(t('deleted', { count: 1 }));
    onDeleted();
    await refresh('/admin/v1/media');
  };
  return (
    <>
      <Button icon="trash" onPress={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking && (
        <DeleteDialog count={1} used={uses && (isUsed ? 1 : 0)} onDelete={remove} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
