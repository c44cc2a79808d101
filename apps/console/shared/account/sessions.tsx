import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../../packages/client/src/marquee-client.ts';
import { programOf } from '../../../../src/lib/text/program-of.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { toastProblem } from '../../ui/toast.tsx';

interface SessionsProps {
  heading: string;
  /** The user's own sessions if undefined. */
  userId?: number;
}

/** Sessions of an account, each with a button that ends it. */
export function Sessions({ heading, userId }: SessionsProps) {
  const input = { per_page: 50, ...(userId !== undefined && { user: String(userId) }) };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/sessions', input));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{heading}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={2} />}
      {data?.sessions.length === 0 && <p className="soft">{t('sessions.none')}</p>}
      {data && data.sessions.length > 0 && (
        <ul className="cards">
          {data.sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SessionLine({ session: { id, user_agent, address, last_seen_utc, is_current } }: { session: Session }) {
  const end = useAction(() => call('DELETE /admin/v1/sessions/{id}', { id }), {
    onSuccess: () => refresh('/admin/v1/sessions'),
    onError: toastProblem,
  });
  return (
    <li className="card">
      <div>
        <p>{programOf(user_agent)}</p>
        <p className="soft">{[address, is_current ? t('sessions.this') : when.ago(last_seen_utc)].join(' · ')}</p>
      </div>
      {!is_current && <Button onPress={() => end.run()}>{t('sessions.end')}</Button>}
    </li>
  );
}
