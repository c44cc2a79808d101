import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { DescribeStep } from './describe-step.tsx';
import { t } from './routes.ts';

interface DescribeWalkProps {
  language: string;
  /** Only the pictures of this account. */
  author?: number;
  onClose: () => void;
}

/** The pictures without an alternative text in a language, one after another. */
export function DescribeWalk({ language, author, onClose }: DescribeWalkProps) {
  const [skipped, setSkipped] = useState(0);
  // A described picture leaves the list, so that the next one takes its place.
  const place = { per_page: 1, page: skipped + 1 };
  const asked = { without_alt: language, ...(author !== undefined && { author }), ...place };
  const { data, error, refetch, isFetching } = useQuery(read('GET /admin/v1/media', asked));
  const picture = data?.media[0];
  return (
    <DialogBox title={t('walk', { language: languageName(language) })} onClose={onClose}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={3} />}
      {data && !picture && <Over skipped={skipped} onRestart={() => setSkipped(0)} onClose={onClose} />}
      {picture && (
        <DescribeStep
          key={picture.id}
          picture={picture}
          language={language}
          left={data.total - skipped}
          isWaiting={isFetching}
          onSkip={() => setSkipped(skipped + 1)}
        />
      )}
    </DialogBox>
  );
}

interface OverProps {
  skipped: number;
  onRestart: () => void;
  onClose: () => void;
}

/** The end, with a focused button since the form has disappeared. */
function Over({ skipped, onRestart, onClose }: OverProps) {
  const isDone = skipped === 0;
  return (
    <div className="walk">
      <p role="status">{isDone ? t('walk.over') : t('walk.skipped', { count: skipped })}</p>
      <div className="actions">
        <Button autoFocus onPress={isDone ? onClose : onRestart}>
          {isDone ? commonText('close') : t('walk.restart')}
        </Button>
      </div>
    </div>
  );
}
