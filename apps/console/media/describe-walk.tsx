import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Media } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { read, refresh } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe, Failure, RowsLoading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { t } from './texts.ts';

interface DescribeWalkProps {
  language: string;
  onClose: () => void;
}

/** The pictures without an alternative text in a language, one after another. */
export function DescribeWalk({ language, onClose }: DescribeWalkProps) {
  const [skipped, setSkipped] = useState(0);
  // What has got a text is no longer in the list, so the next one takes its place.
  const asked = { without_alt: language, per_page: 1, page: skipped + 1 };
  const { data, error, refetch, isFetching } = useQuery(read('GET /admin/v1/media', asked));
  const picture = data?.media[0];
  const isOver = error ? skipped > 0 : data !== undefined && !picture;
  return (
    <DialogBox title={t('walk', { language })} onClose={onClose}>
      {error && !isOver && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={3} />}
      {isOver && <p role="status">{t('walk.over')}</p>}
      {picture && (
        <Step
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

interface StepProps {
  picture: Media;
  language: string;
  left: number;
  isWaiting: boolean;
  onSkip: () => void;
}

function Step({ picture, language, left, isWaiting, onSkip }: StepProps) {
  const [alt, setAlt] = useState('');
  const [error, setError] = useState<unknown>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isWaiting || alt.trim() === '') return;
    try {
      await call('PATCH /admin/v1/media/{id}', { id: picture.id, alt }, { language });
      await refresh('/admin/v1/media');
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <Form className="form walk" onSubmit={(event) => void save(event)}>
      <img src={picture.url} alt={picture.title} />
      <p className="soft">{t('walk.left', { count: left })}</p>
      <TextField label={t('field.alt')} hint={t('alt.hint')} value={alt} onChange={setAlt} autoFocus isRequired />
      {error !== undefined && (
        <p className="form-problem" role="alert">
          {describe(error)}
        </p>
      )}
      <div className="actions">
        <Button onPress={onSkip}>{t('walk.skip')}</Button>
        <Button type="submit" look="primary">
          {t('walk.save')}
        </Button>
      </div>
    </Form>
  );
}
