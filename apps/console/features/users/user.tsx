import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, Suspense, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Session, User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t as frameText } from '../../i18n/texts.ts';
import { Credentials } from '../../shared/credentials/credentials.ts';
import { Page } from '../../shared/screen/page.tsx';
import { programOf } from '../../shared/sessions/program-of.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useFocusOnChange } from '../../ui/focus.ts';
import { describe, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { Remove } from './remove.tsx';
import { RemoveFactor } from './remove-factor.tsx';
import { RoleField } from './role-field.tsx';
import { t } from './routes.ts';

const route = getRouteApi('/users/$id');

/** One account, for those who manage accounts. */
export function Screen() {
  const id = Number(route.useParams().id);
  const { data: user, error, refetch } = useQuery(read('GET /admin/v1/users/{id}', { id }));
  if (!user)
    return (
      <Page title={t('title')}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <RowsLoading rows={3} />}
      </Page>
    );
  return <Account key={user.id} user={user} />;
}

function Account({ user }: { user: User }) {
  const { id, username, email } = user;
  const isSelf = useMe().id === id;
  const [link, setLink] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const makeLink = async () => {
    try {
      setLink((await call('POST /admin/v1/users/{id}/sign-in-link', { id })).url);
      await refresh('/admin/v1/users');
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  return (
    <Page
      title={username}
      note={`${email} · ${frameText(`role.${user.role}`)}`}
      actions={
        <>
          {!isSelf && (
            <Button icon="trash" onPress={() => setRemoving(true)}>
              {t('remove')}
            </Button>
          )}
          {!isSelf && (
            <Button icon="link" onPress={() => void makeLink()}>
              {t('link.make')}
            </Button>
          )}
        </>
      }
    >
      <div className="column">
        <Details user={user} />
        {!isSelf && <SecondFactor user={user} />}
        <OpenLinks userId={id} />
        <Sessions userId={id} />
        <Suspense fallback={<RowsLoading rows={2} />}>
          <Credentials userId={id} />
        </Suspense>
      </div>
      {link && <LinkDialog url={link} onClose={() => setLink('')} />}
      {isRemoving && <Remove user={user} onClose={() => setRemoving(false)} />}
    </Page>
  );
}

/** Name, address and role. */
function Details({ user: { id, username, email, role: present } }: { user: User }) {
  const isSelf = useMe().id === id;
  const [role, setRole] = useState(present);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const name = String(sent.get('username') ?? '');
    const address = String(sent.get('email') ?? '');
    try {
      const changes = {
        ...(name !== username && { username: name }),
        ...(!isSelf && address !== email && { email: address }),
        ...(role !== present && { role }),
      };
      await call('PATCH /admin/v1/users/{id}', { id, ...changes });
      setError(undefined);
      toast(t('saved'));
      await Promise.all([refresh('/admin/v1/users'), refresh('/admin/v1/sessions'), refresh('/admin/v1/me')]);
    } catch (caught) {
      setError(caught);
    }
  };
  const fields = isProblem(error) ? error.fields : {};
  return (
    <section className="form-section" aria-labelledby="details">
      <h2 id="details">{t('details')}</h2>
      <Form className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && Object.keys(fields).length === 0 && <FormProblem error={error} />}
        <TextField name="username" label={t('name')} defaultValue={username} problem={fields.username} isRequired />
        {!isSelf && (
          <TextField
            name="email"
            type="email"
            label={t('email')}
            defaultValue={email}
            problem={fields.email}
            isRequired
          />
        )}
        <RoleField value={role} onChange={setRole} />
        {role !== present && <p className="hint">{t('role.ends')}</p>}
        <div>
          <Button type="submit">{t('save')}</Button>
        </div>
      </Form>
    </section>
  );
}

/** Whether the account has a second factor, which its person may have lost. */
function SecondFactor({ user }: { user: User }) {
  const [isRemoving, setRemoving] = useState(false);
  const isOn = user.has_second_factor;
  const heading = useFocusOnChange<HTMLHeadingElement>(isOn);
  return (
    <section className="form-section" aria-labelledby="second-factor">
      <h2 id="second-factor" ref={heading} tabIndex={-1}>
        {t('factor')}
      </h2>
      <p>{t(isOn ? 'factor.on' : 'factor.off')}</p>
      {isOn && (
        <div>
          <Button onPress={() => setRemoving(true)}>{t('factor.remove')}</Button>
        </div>
      )}
      {isRemoving && <RemoveFactor user={user} onClose={() => setRemoving(false)} />}
    </section>
  );
}

/** Where the account is signed in. */
function Sessions({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/sessions', { user: String(userId), per_page: 50 }));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{t('sessions')}</h2>
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
  const end = async () => {
    try {
      await call('DELETE /admin/v1/sessions/{id}', { id });
      await refresh('/admin/v1/sessions');
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    }
  };
  return (
    <li className="card">
      <div>
        <p>{programOf(user_agent)}</p>
        <p className="soft">{[address, is_current ? t('sessions.this') : when.ago(last_seen_utc)].join(' · ')}</p>
      </div>
      {!is_current && <Button onPress={() => void end()}>{t('sessions.end')}</Button>}
    </li>
  );
}

/** The sign-in links of an account that still work, each with a button that revokes it. */
function OpenLinks({ userId }: { userId: number }) {
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
