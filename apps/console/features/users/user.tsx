import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useMe, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { Sessions } from '../../shared/account/sessions.tsx';
import { Credentials } from '../../shared/credentials/credentials.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch, TextField } from '../../ui/fields.tsx';
import { useFocusOnChange } from '../../ui/focus.ts';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { LinkDialog, RoleField } from './account-fields.tsx';
import { Remove } from './remove.tsx';
import { RemoveFactor } from './remove-factor.tsx';
import { t } from './routes.ts';

const route = getRouteApi('/users/$id');

/** One account, for users who manage accounts. */
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
  return (
    <Page
      title={username}
      note={`${email} · ${commonText(`role.${user.role}`)}`}
      actions={<AccountActions user={user} />}
    >
      <div className="column">
        <Details user={user} />
        {!isSelf && <SecondFactor user={user} />}
        <OpenLinks userId={id} />
        <Sessions heading={t('sessions')} userId={id} />
        <Suspense fallback={<RowsLoading rows={2} />}>
          <Credentials userId={id} />
        </Suspense>
      </div>
    </Page>
  );
}

/** Removes the account of another user, or lets that user sign in by a link. */
function AccountActions({ user }: { user: User }) {
  const { id, email } = user;
  const isSelf = useMe().id === id;
  const [link, setLink] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const { sends_mail: sendsMail } = useSite();
  const sendLink = useAction(() => call('POST /admin/v1/users/{id}/sign-in-mail', { id }), {
    onSuccess: async () => {
      toast(t('mail.sent', { email }));
      await refresh('/admin/v1/users');
    },
    onError: toastProblem,
  });
  const makeLink = useAction(() => call('POST /admin/v1/users/{id}/sign-in-link', { id }), {
    onSuccess: async ({ url }) => {
      setLink(url);
      await refresh('/admin/v1/users');
    },
    onError: toastProblem,
  });
  if (isSelf) return null;
  return (
    <>
      <Button icon="trash" onPress={() => setRemoving(true)}>
        {t('remove')}
      </Button>
      {sendsMail && (
        <Button icon="mail" isPending={sendLink.isPending} onPress={() => sendLink.run()}>
          {t('mail.send')}
        </Button>
      )}
      <Button icon="link" onPress={() => makeLink.run()}>
        {t('link.make')}
      </Button>
      {link && <LinkDialog url={link} onClose={() => setLink('')} />}
      {isRemoving && <Remove user={user} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Name, email address and rights. */
function Details({ user: { id, username, email, role: present, may_refund } }: { user: User }) {
  const isSelf = useMe().id === id;
  const [role, setRole] = useState(present);
  const [mayRefund, setMayRefund] = useState(may_refund);
  const save = useAction(
    (value: FieldValue) => {
      const [name, address] = [value('username'), value('email')];
      const changes = {
        ...(name !== username && { username: name }),
        ...(!isSelf && address !== email && { email: address }),
        ...(role !== present && { role }),
        ...(mayRefund !== may_refund && { may_refund: mayRefund }),
      };
      return call('PATCH /admin/v1/users/{id}', { id, ...changes });
    },
    {
      onSuccess: () => {
        toast(t('saved'));
        return Promise.all([refresh('/admin/v1/users'), refresh('/admin/v1/sessions'), refresh('/admin/v1/me')]);
      },
    },
  );
  const problems = fieldProblems(save.error);
  return (
    <section className="form-section" aria-labelledby="details">
      <h2 id="details">{t('details')}</h2>
      <Form className="form" onSubmit={(event) => save.run(fieldValues(event))}>
        <FormProblem error={save.error} />
        <TextField name="username" label={t('name')} defaultValue={username} problem={problems.username} isRequired />
        {!isSelf && (
          <TextField
            name="email"
            type="email"
            label={t('email')}
            defaultValue={email}
            problem={problems.email}
            isRequired
          />
        )}
        <RoleField value={role} onChange={setRole} />
        {role !== present && <p className="hint">{t('role.ends')}</p>}
        {role !== 'administrator' && (
          <Switch isSelected={mayRefund} onChange={setMayRefund}>
            {t('may_refund')}
          </Switch>
        )}
        <div>
          <Button type="submit">{t('save')}</Button>
        </div>
      </Form>
    </section>
  );
}

/** Second factor of the account; its owner may have lost it. */
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

/** Valid sign-in links of the account, each with a button that revokes it. */
function OpenLinks({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/users/{id}/sign-in-links', { id: userId }));
  const revoke = useAction(
    (link_id: number) => call('DELETE /admin/v1/users/{id}/sign-in-links/{link_id}', { id: userId, link_id }),
    { onSuccess: () => toast(t('links.revoked')), onError: toastProblem, onSettled: () => refresh('/admin/v1/users') },
  );
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
            <Button onPress={() => revoke.run(id)}>{t('links.revoke')}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
