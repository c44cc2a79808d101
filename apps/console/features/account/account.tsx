import { useQuery } from '@tanstack/react-query';
import { type FormEvent, Suspense, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Session } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Credentials } from '../../shared/credentials/credentials.ts';
import { Page } from '../../shared/screen/page.tsx';
import { programOf } from '../../shared/sessions/program-of.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { describe, Failure, FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import { SecondFactor } from './second-factor.tsx';

/** What people do with their own account. */
export function Screen() {
  const { id, username, email } = useMe();
  return (
    <Page title={t('title')} note={`${username} · ${email}`}>
      <div className="column">
        <Password />
        <SecondFactor />
        <Sessions />
        <Suspense fallback={<RowsLoading rows={2} />}>
          <Credentials userId={id} />
        </Suspense>
      </div>
    </Page>
  );
}

/** A new password, confirmed by the present one unless the session began with a link. */
function Password() {
  const { id, username, may_set_password } = useMe();
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [password = '', current = ''] = ['password', 'current'].map((key) =>
      String(new FormData(form).get(key) ?? ''),
    );
    try {
      await call('PATCH /admin/v1/users/{id}', { id, password, ...(current && { current_password: current }) });
      setError(undefined);
      form.reset();
      toast(t('password.done'));
      await Promise.all([refresh('/admin/v1/me'), refresh('/admin/v1/sessions')]);
    } catch (caught) {
      setError(caught);
    }
  };
  const fields = isProblem(error) ? error.fields : {};
  return (
    <section className="form-section" aria-labelledby="password">
      <h2 id="password">{t('password.heading')}</h2>
      <Form className="form" onSubmit={(event) => void submit(event)}>
        {error !== undefined && Object.keys(fields).length === 0 && <FormProblem error={error} />}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        {!may_set_password && (
          <TextField
            name="current"
            type="password"
            label={t('password.current')}
            autoComplete="current-password"
            problem={fields.current_password}
            isRequired
          />
        )}
        <TextField
          name="password"
          type="password"
          label={t('password.new')}
          hint={t('password.hint')}
          autoComplete="new-password"
          problem={fields.password}
          isRequired
        />
        <div>
          <Button type="submit">{t('password.set')}</Button>
        </div>
      </Form>
    </section>
  );
}

/** Where the account is signed in. */
function Sessions() {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/sessions', { per_page: 50 }));
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{t('sessions')}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={2} />}
      <ul className="cards">
        {data?.sessions.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
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
