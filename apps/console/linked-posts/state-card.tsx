import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../client/call.ts';
import { useRight } from '../frame/account.ts';
import { refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { Button } from '../parts/button.tsx';
import { isPublished } from '../parts/event-rights.ts';
import { Icon } from '../parts/icon.tsx';
import { describe } from '../parts/states.tsx';
import type { EditedRecord } from '../record/use-record.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { LinkedPost } from './linked-post.ts';
import type { LinkedPostFields } from './linked-post-kind.ts';
import { t } from './texts.ts';

type Status = 'publish' | 'pending' | 'draft' | 'trash' | 'private' | 'future';

interface StateCardProps {
  kind: Kind;
  edited: EditedRecord<LinkedPost, LinkedPostFields>;
  mayEdit: boolean;
}

/** The state of a venue or an organizer, and what can be done with it as a whole. */
export function StateCard({ kind, edited, mayEdit }: StateCardProps) {
  const { id, status: present, url } = edited.record;
  const navigate = useNavigate();
  const mayPublish = useRight('publish');
  // Taken from the record.
  const status = present as Status;
  const first = mayPublish ? 'publish' : 'pending';
  const set = async (next: Status, done: string, undo?: Status): Promise<boolean> => {
    try {
      await call(`PATCH /events/v1/${kind}/{id}` as 'PATCH /events/v1/venues/{id}', { id, status: next });
      await Promise.all([refresh(`/events/v1/${kind}`), refresh(`/admin/v1/${kind}`)]);
      toast(done, undo && { undo: () => set(undo, t('undone')) });
      return true;
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
      return false;
    }
  };
  const release = async () => {
    if (await edited.save()) await set(first, t(`done.${first}`), status);
  };
  const trash = async () => {
    if (!(await edited.save())) return;
    if (await set('trash', t('trashed', { count: 1 }), status)) await navigate({ to: `/${kind}` });
  };
  return (
    <section className="card-box">
      <p>
        <span className={isPublished(status) ? 'badge good' : 'badge'}>{t(`status.${status}`)}</span>
      </p>
      {mayEdit && !isPublished(status) && status !== first && status !== 'trash' && (
        <Button look="primary" onPress={() => void release()}>
          {t(`act.${first}`)}
        </Button>
      )}
      {mayEdit && status === 'trash' && (
        <Button icon="undo" onPress={() => void set('draft', t('restored', { count: 1 }))}>
          {t('restore')}
        </Button>
      )}
      {isPublished(status) && (
        <a className="button" href={url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t('page')}
        </a>
      )}
      {mayEdit && (
        <Link className="button" to="/history/$kind/$id" params={{ kind: KINDS[kind].name, id: String(id) }}>
          <Icon name="log" />
          {t('history')}
        </Link>
      )}
      {mayEdit && status !== 'trash' && (
        <Button icon="trash" onPress={() => void trash()}>
          {t('trash')}
        </Button>
      )}
    </section>
  );
}
