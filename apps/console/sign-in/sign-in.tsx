import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { isProblem } from '../../client/problem.ts';
import { useSite } from '../frame/account.ts';
import { Button } from '../parts/button.tsx';
import { describe } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { loadTexts } from '../texts.ts';
import { signIn } from './session.ts';
import { t } from './texts.ts';

export const loadOwnTexts = (): Promise<void> => loadTexts('sign-in');

/** The way in: name and password, then a code from who has a second factor. */
export function SignIn() {
  const { name } = useSite();
  const [error, setError] = useState<unknown>();
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    setError(undefined);
    try {
      await signIn({ name: sent.name ?? '', password: sent.password ?? '', ...(sent.code && { code: sent.code }) });
    } catch (caught) {
      const isFirstAsk = isProblem(caught, 'second-factor-required') && !needsCode;
      if (isProblem(caught, 'second-factor-required')) setNeedsCode(true);
      if (!isFirstAsk) setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <Form className="gate-form" onSubmit={(event) => void submit(event)}>
        <h1>{t('title')}</h1>
        {error !== undefined && (
          <p className="form-problem" role="alert">
            {describe(error)}
          </p>
        )}
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
    </main>
  );
}
