import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { Button } from '../../ui/button.tsx';
import { IMAGE_TYPES, t } from './pictures.ts';
import { useUpload } from './use-upload.ts';

type Dropped = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'];

interface UploadAreaProps {
  onUploaded: (pictures: readonly Media[]) => void;
  /** Whether one picture is wanted. */
  isSingle?: boolean;
}

/** The focused button may have disappeared. */
const takeLostFocus = (report: HTMLDivElement | null) => {
  if (document.activeElement === document.body) report?.querySelector('button')?.focus();
};

/** Uploads pictures one after another, chosen by a button or dropped here; lists the refused ones with reasons. */
export function UploadArea({ onUploaded, isSingle = false }: UploadAreaProps) {
  const { progress, refused, upload, stop } = useUpload(onUploaded);
  const choose = (files: readonly File[]) => void upload(isSingle ? files.slice(0, 1) : files);
  const drop = async (items: Dropped) =>
    choose(await Promise.all(items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []))));
  return (
    <>
      <DropZone className="upload-area" aria-label={t('upload.area')} onDrop={({ items }) => void drop(items)}>
        <FileTrigger
          acceptedFileTypes={IMAGE_TYPES}
          allowsMultiple={!isSingle}
          onSelect={(files) => choose([...(files ?? [])])}
        >
          <Button icon="plus" isDisabled={isSingle && progress !== undefined}>
            {t(isSingle ? 'upload.one' : 'upload.many')}
          </Button>
        </FileTrigger>
        <span className="soft">{t(isSingle ? 'upload.drop_one' : 'upload.drop')}</span>
        {progress && (
          <div className="upload-progress" role="status">
            <progress value={progress.done} max={progress.of} aria-label={t('upload.running')} />
            <span>{t('upload.progress', { ...progress, done: progress.done + 1 })}</span>
            <Button look="plain" onPress={stop}>
              {t('upload.stop')}
            </Button>
          </div>
        )}
      </DropZone>
      {refused.length > 0 && (
        <div className="form-problem upload-refused" role="alert" ref={takeLostFocus}>
          <p>{t('upload.refused', { count: refused.length })}</p>
          <ul>
            {refused.map(({ file, why }) => (
              <li key={`${file.name} ${file.lastModified} ${file.size}`}>
                <strong>{file.name}</strong>: {why}
              </li>
            ))}
          </ul>
          <Button onPress={() => void upload(refused.map(({ file }) => file))}>{t('upload.again')}</Button>
        </div>
      )}
    </>
  );
}
