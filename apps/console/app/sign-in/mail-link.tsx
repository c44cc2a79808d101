import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { t } from './entry.ts';

/** Requests a link by mail. The form says the same whether or not the address has an account. */
export function MailLink({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState('');
  const request = useAction(
    (purpose: 'password' | 'sign-in') => call('POST /admin/v1/session/mailed-link', { email: email.trim(), purpose }),
    { onSuccess: () => setAsked(email.trim()) },
  );
  const back = (
    <p>
      <Button look="plain" onPress={onBack}>
        {t('mail.back')}
      </Button>
    </p>
  );
  if (asked !== '')
    return (
      <>
        <h1>{t('mail.done')}</h1>
        <p role="status">{t('mail.done_text', { email: asked })}</p>
        {back}
      </>
    );
  return (
    <>
      <h1>{t('mail.title')}</h1>
      <p>{t('mail.text')}</p>
      <Form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          request.run('password');
        }}
      >
        <FormProblem error={request.error} fields={[]} />
        <TextField
          name="email"
          type="email"
          label={t('mail.email')}
          value={email}
          onChange={setEmail}
          autoComplete="username"
          maxLength={254}
          isRequired
          autoFocus
        />
        <Button type="submit" look="primary" isPending={request.isPending}>
          {t('mail.password')}
        </Button>
        <Button isDisabled={email.trim() === '' || request.isPending} onPress={() => request.run('sign-in')}>
          {t('mail.sign_in')}
        </Button>
      </Form>
      {back}
    </>
  );
}
