import { useState } from 'react';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { Media } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { refresh } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { describe } from '../parts/states.tsx';
import { t } from './texts.ts';

/** What the server takes. */
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

interface Refused {
  file: File;
  why: string;
}

type Dropped = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'];

interface UploadAreaProps {
  onUploaded: (pictures: readonly Media[]) => void;
  /** Whether one picture is wanted. */
  isSingle?: boolean;
}

/** Uploads pictures, by a button or dropped here, one after another; says which ones were refused and why. */
export function UploadArea({ onUploaded, isSingle = false }: UploadAreaProps) {
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const [stop, setStop] = useState<AbortController>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const upload = async (files: readonly File[]) => {
    const wanted = isSingle ? files.slice(0, 1) : files;
    const stopper = new AbortController();
    const [uploaded, failed]: [Media[], Refused[]] = [[], []];
    setStop(stopper);
    setRefused([]);
    for (const [done, file] of wanted.entries()) {
      setProgress({ done, of: wanted.length });
      try {
        uploaded.push(await call('POST /admin/v1/media', { file }, { signal: stopper.signal }));
      } catch (error) {
        if (stopper.signal.aborted) break;
        failed.push({ file, why: describe(error) });
      }
    }
    setProgress(undefined);
    setRefused(failed);
    if (uploaded.length === 0) return;
    void refresh('/admin/v1/media');
    onUploaded(uploaded);
  };
  const drop = async (items: Dropped) =>
    upload(await Promise.all(items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []))));
  return (
    <>
      <DropZone className="upload-area" aria-label={t('upload.area')} onDrop={({ items }) => void drop(items)}>
        <FileTrigger
          acceptedFileTypes={TYPES}
          allowsMultiple={!isSingle}
          onSelect={(files) => void upload([...(files ?? [])])}
        >
          <Button icon="plus" isDisabled={progress !== undefined}>
            {t(isSingle ? 'upload.one' : 'upload.many')}
          </Button>
        </FileTrigger>
        <span className="soft">{t(isSingle ? 'upload.drop_one' : 'upload.drop')}</span>
        {progress && (
          <div className="upload-progress" role="status">
            <progress value={progress.done} max={progress.of} aria-label={t('upload.running')} />
            <span>{t('upload.progress', { ...progress, done: progress.done + 1 })}</span>
            <Button look="plain" onPress={() => stop?.abort()}>
              {t('upload.stop')}
            </Button>
          </div>
        )}
      </DropZone>
      {refused.length > 0 && (
        <div className="form-problem" role="alert">
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
