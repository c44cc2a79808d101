import { useQuery } from '@tanstack/react-query';
import { call } from '../../../client/call.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/when.ts';
import { Button } from '../../ui/button.tsx';
import { describe, Failure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-store.ts';
import { t } from './routes.ts';

/** The sign-in links of an account that still work, each with a button that revokes it. */
export function OpenLinks({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/users/{id}/sign-in-links', { id: userId }));
  const revoke = async (link_id: number) => {
    try {
      await call('DELETE /admin/v1/users/{id}/sign-in-links/{link_id}', { id: userId, link_id });
      toast(t('links.revoked'));
    } catch (caught) {
      toast(describe(caught), { tone: 'bad' });
    }
    await refresh('/admin/v1/users');
  };
  const links = data?.sign_in_links ?? [];
  if (!error && links.length === 0) return null;
  return (
    <section aria-labelledby="links">
      <h2 id="links">{t('links')}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <ul className="cards">
        {links.map(({ id, expires_utc }) => (
          <li key={id} className="card">
            <p>{t('links.expires', { ago: when.ago(expires_utc) })}</p>
            <Button onPress={() => void revoke(id)}>{t('links.revoke')}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
