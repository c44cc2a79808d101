import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import type { ImportDetails } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ImportActs } from './acts.tsx';
import { FILE_ENDINGS } from './begin.tsx';
import { Findings } from './findings.tsx';
import { Mapping } from './mapping.tsx';
import { Plan } from './plan.tsx';
import { t } from './routes.ts';
import { isUploading, useFileUpload } from './upload.ts';
import { isBusy, nameOf, outcomesOf, recordsText, stateLook, stateName } from './words.ts';
import './imports.css';

const route = getRouteApi('/imports/$id');

/** Milliseconds between two reads: the server works whether or not this page is open. */
const INTERVAL = 1500;

/** One import: its file, columns, plan, progress and result. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { data, error, refetch } = useQuery({
    ...read('GET /admin/v1/imports/{id}', { id }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? INTERVAL : false),
  });
  if (!data)
    return (
      <Page title={t('title')}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <RowsLoading rows={3} />}
      </Page>
    );
  return <OneImport item={data} />;
}

function OneImport({ item }: { item: ImportDetails }) {
  const { state, kind } = item;
  const [isChanging, setMapping] = useState(false);
  const mayMap = ['planned', 'failed'].includes(state) && item.begun_utc === null && item.columns.length > 0;
  const isMapping = state === 'mapping' || (mayMap && isChanging);
  const hasPlan = item.erased_utc === null && Object.keys(item.planned).length > 0 && state !== 'planning';
  return (
    <Page
      title={nameOf(item)}
      note={
        <>
          <Link to="/imports">{t('all')}</Link> · {t(`kind.${kind}`)}{' '}
          <span className={stateLook(state)}>{stateName(state)}</span>
        </>
      }
      actions={<ImportActs item={item} />}
    >
      <div aria-live="polite">
        <Problem item={item} />
        {state === 'uploading' && <Upload item={item} />}
        {isBusy(item) && <Progress item={item} />}
      </div>
      {isMapping ? (
        <Mapping key={item.id} item={item} onConfirmed={() => setMapping(false)} />
      ) : (
        mayMap && (
          <div className="import-change">
            <Button onPress={() => setMapping(true)}>{t('columns.change')}</Button>
          </div>
        )
      )}
      <Result item={item} />
      {item.findings.length > 0 && <Findings item={item} />}
      {hasPlan && <Plan item={item} />}
    </Page>
  );
}

function Problem({ item: { problem, detail, state } }: { item: ImportDetails }) {
  if (problem === '') return null;
  return (
    <p className="notice bad">
      {t(`problem.${problem}`)} {detail}
      {state === 'failed' && problem === 'source' && ` ${t('problem.next')}`}
    </p>
  );
}

const megabytes = (bytes: number): number => Math.round((bytes / 1024 / 1024) * 10) / 10;

function Upload({ item }: { item: ImportDetails }) {
  const { id, size, received, file_name } = item;
  const upload = useFileUpload();
  const goOn = (file: File) => {
    if (file.name === file_name && file.size === size) upload({ item, file });
    else toast(t('upload.other', { name: file_name }), { tone: 'bad' });
  };
  return (
    <div className="import-progress">
      <progress value={received} max={size} aria-label={t('uploading')} />
      <p>{t('uploaded', { done: megabytes(received), of: megabytes(size) })}</p>
      {!isUploading(id) && (
        <>
          <p>{t('upload.again')}</p>
          <FileTrigger acceptedFileTypes={FILE_ENDINGS} onSelect={(files) => files?.[0] && goOn(files[0])}>
            <Button icon="plus">{t('file.choose')}</Button>
          </FileTrigger>
        </>
      )}
    </div>
  );
}

function Progress({ item }: { item: ImportDetails }) {
  const { state, done, total, is_stopping } = item;
  const isCounted = state === 'importing' && total !== null && total > 0;
  return (
    <div className="import-progress">
      <progress {...(isCounted && { value: Math.min(done, total), max: total })} aria-label={stateName(state)} />
      <p>
        {is_stopping ? t('stopping') : stateName(state)}
        {done > 0 &&
          state !== 'undoing' &&
          ` · ${isCounted ? t('progress.of', { done, total }) : t('progress', { count: done })}`}
      </p>
      <p className="soft">{t('closing')}</p>
    </div>
  );
}

/** Numbers of records, planned or imported. */
function Result({ item }: { item: ImportDetails }) {
  const { counts, planned, gone, begun_utc, state } = item;
  if (state === 'planning') return null;
  const shown = outcomesOf(begun_utc === null ? planned : counts);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="import-result">
      <h2 id="import-result">{t(begun_utc === null ? 'planned' : 'result')}</h2>
      <dl className="import-counts">
        {shown.map(({ outcome, text }) => (
          <div key={outcome}>
            <dt>{outcome}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {Object.entries(gone).map(([kind, count]) => (
        <p key={kind} className="soft">
          {t('gone', { records: recordsText(kind, count) })}
        </p>
      ))}
    </section>
  );
}
