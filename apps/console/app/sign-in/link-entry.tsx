import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { enterAccount, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { type SignInLink, t } from './entry.ts';

interface LinkEntryProps {
  link: SignInLink;
  onDone: () => void;
}

/** Refusals after which the link still works. */
const CODE_PROBLEMS = ['second-factor-required', 'second-factor-invalid', 'too_many_attempts'] as const;

/** Signs in with a link at the press of a button: programs that open links in messages must not use it up. */
export function LinkEntry({ link: { kind, token }, onDone }: LinkEntryProps) {
  const { name } = useSite();
  const go = useGo();
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useAction(
    (code: string | undefined) =>
      call('POST /admin/v1/session/by-link', { token, ...(code !== undefined && { code }) }),
    {
      onSuccess: (me) => {
        enterAccount(me);
        onDone();
        const next = me.may_set_password ? '/account' : '/';
        go(kind === 'setup' ? '/set-up' : next);
      },
      onError: (error) => isProblem(error, 'second-factor-required') && setNeedsCode(true),
    },
  );
  const { error, isPending, run } = signIn;
  const isRefused = error !== undefined && !CODE_PROBLEMS.some((code) => isProblem(error, code));
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t(kind === 'setup' ? 'link.setup' : 'link.title')}</h1>
      {isRefused && (
        <>
          <FormProblem error={error} />
          {kind === 'setup' && isProblem(error, 'sign-in-link-invalid') && (
            <p>{t('link.new_setup', { command: 'npx marquee user sign-in-link admin' })}</p>
          )}
          <Button onPress={onDone}>{t('link.other_way')}</Button>
        </>
      )}
      {!isRefused && needsCode && <CodeForm error={error} isPending={isPending} onSubmit={run} />}
      {!isRefused && !needsCode && (
        <>
          <FormProblem error={error} />
          <p>{t(kind === 'setup' ? 'link.setup_text' : 'link.text')}</p>
          <Button look="primary" autoFocus isPending={isPending} onPress={() => run(undefined)}>
            {t('link.enter')}
          </Button>
        </>
      )}
    </main>
  );
}

interface CodeFormProps {
  error: unknown;
  isPending: boolean;
  onSubmit: (code: string) => void;
}

/** A link that arrived by mail does not replace the second factor. */
function CodeForm({ error, isPending, onSubmit }: CodeFormProps) {
  const [code, setCode] = useState('');
  return (
    <Form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(code);
      }}
    >
      <FormProblem error={isProblem(error, 'second-factor-required') ? undefined : error} fields={[]} />
      <TextField
        name="code"
        label={t('code')}
        hint={t('code.hint')}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        isRequired
        autoFocus
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {t('link.enter')}
      </Button>
    </Form>
  );
}
