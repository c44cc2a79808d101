import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { isProblem } from '../../../client/problem.ts';
import { useSite } from '../../data/account.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './entry.ts';
import { signIn } from './session.ts';

/** The way in. With `isAgain`, over the screen of somebody whose session has ended. */
export function SignIn({ isAgain = false }: { isAgain?: boolean }) {
  const { name } = useSite();
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
      <h1>{t('title')}</h1>
      <SignInForm />
    </main>
  );
}

/** Name and password, then a code from who has a second factor. */
function SignInForm() {
  const [error, setError] = useState<unknown>();
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const [name = '', password = '', code = ''] = ['name', 'password', 'code'].map((key) =>
      String(sent.get(key) ?? ''),
    );
    setBusy(true);
    setError(undefined);
    try {
      await signIn({ name, password, ...(code && { code }) });
    } catch (caught) {
      if (isProblem(caught, 'second-factor-required')) setNeedsCode(true);
      else setError(caught);
      setBusy(false);
    }
  };
  return (
    <Form className="form" onSubmit={(event) => void submit(event)}>
      {error !== undefined && <FormProblem error={error} />}
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
      <Button type="submit" look="primary" isPending={isBusy}>
        {t('submit')}
      </Button>
    </Form>
  );
}
