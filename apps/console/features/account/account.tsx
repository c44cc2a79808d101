import { Suspense, useRef } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { PasswordFields } from '../../shared/account/password-fields.tsx';
import { Sessions } from '../../shared/account/sessions.tsx';
import { Credentials } from '../../shared/credentials/credentials.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { FormProblem, RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Mails } from './mails.tsx';
import { t } from './routes.ts';
import { SecondFactor } from './second-factor.tsx';

/** The user's own account. */
export function Screen() {
  const { id, username, email } = useMe();
  return (
    <Page title={t('title')} note={`${username} · ${email}`}>
      <div className="column">
        <Password />
        <SecondFactor />
        <Mails />
        <Sessions heading={t('sessions')} />
        <Suspense fallback={<RowsLoading rows={2} />}>
          <Credentials userId={id} />
        </Suspense>
      </div>
    </Page>
  );
}

/** Changes the password; needs the current one unless the session began with a link. */
function Password() {
  const { id } = useMe();
  const form = useRef<HTMLFormElement>(null);
  const change = useAction(
    (value: FieldValue) => {
      const current = value('current');
      const input = { id, password: value('password'), ...(current && { current_password: current }) };
      return call('PATCH /admin/v1/users/{id}', input);
    },
    {
      onSuccess: async () => {
        form.current?.reset();
        toast(t('password.done'));
        await Promise.all([refresh('/admin/v1/me'), refresh('/admin/v1/sessions')]);
      },
    },
  );
  return (
    <section className="form-section" aria-labelledby="password">
      <h2 id="password">{t('password.heading')}</h2>
      <Form className="form" ref={form} onSubmit={(event) => change.run(fieldValues(event))}>
        <FormProblem error={change.error} />
        <PasswordFields t={t} problems={fieldProblems(change.error)} />
        <div>
          <Button type="submit">{t('password.set')}</Button>
        </div>
      </Form>
    </section>
  );
}
