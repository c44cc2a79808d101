import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { enterAccount, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { type FieldValue, fieldValues } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './entry.ts';
import { MailLink } from './mail-link.tsx';

/** Sign-in form. With `isAgain`, shown over the current screen after the session expired. */
export function SignIn({ isAgain = false }: { isAgain?: boolean }) {
  const { name, sends_mail: sendsMail } = useSite();
  const [isForgotten, setForgotten] = useState(false);
  if (isAgain)
    return (
      <DialogBox title={t('again')} role="alertdialog">
        <p>{t('again.why')}</p>
        <SignInForm />
      </DialogBox>
    );
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      {isForgotten ? (
        <MailLink onBack={() => setForgotten(false)} />
      ) : (
        <>
          <h1>{t('title')}</h1>
          <SignInForm />
          {sendsMail && (
            <p>
              <Button look="plain" onPress={() => setForgotten(true)}>
                {t('forgotten')}
              </Button>
            </p>
          )}
        </>
      )}
    </main>
  );
}

/** Asks for name and password, then for a code if the account has a second factor. */
function SignInForm() {
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useAction(
    (value: FieldValue) => {
      const code = value('code');
      const credentials = { name: value('name'), password: value('password'), ...(code && { code }) };
      return call('POST /admin/v1/session', credentials);
    },
    { onSuccess: enterAccount, onError: (error) => isProblem(error, 'second-factor-required') && setNeedsCode(true) },
  );
  const error = isProblem(signIn.error, 'second-factor-required') ? undefined : signIn.error;
  return (
    <Form className="form" onSubmit={(event) => signIn.run(fieldValues(event))}>
      <FormProblem error={error} fields={[]} />
      <TextField name="name" label={t('name')} autoComplete="username" isRequired autoFocus />
      <TextField name="password" label={t('password')} type="password" autoComplete="current-password" isRequired />
      {needsCode && (
        <TextField
          name="code"
          label={t('code')}
          hint={t('code.hint')}
          autoComplete="one-time-code"
          isRequired
          autoFocus
        />
      )}
      <Button type="submit" look="primary" isPending={signIn.isPending}>
        {t('submit')}
      </Button>
    </Form>
  );
}
