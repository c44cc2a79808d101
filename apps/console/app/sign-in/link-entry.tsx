import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { enterAccount, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { type SignInLink, t } from './entry.ts';

interface LinkEntryProps {
  link: SignInLink;
  onDone: () => void;
}

/** Signs in with a link at the press of a button: programs that open links in messages must not use it up. */
export function LinkEntry({ link: { kind, token }, onDone }: LinkEntryProps) {
  const { name } = useSite();
  const go = useGo();
  const signIn = useAction(() => call('POST /admin/v1/session/by-link', { token }), {
    onSuccess: (me) => {
      enterAccount(me);
      onDone();
      go(kind === 'setup' ? '/set-up' : '/account');
    },
  });
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t(kind === 'setup' ? 'link.setup' : 'link.title')}</h1>
      {signIn.error === undefined ? (
        <>
          <p>{t(kind === 'setup' ? 'link.setup_text' : 'link.text')}</p>
          <Button look="primary" autoFocus isPending={signIn.isPending} onPress={() => signIn.run()}>
            {t('link.enter')}
          </Button>
        </>
      ) : (
        <>
          <FormProblem error={signIn.error} />
          {kind === 'setup' && isProblem(signIn.error, 'sign-in-link-invalid') && (
            <p>{t('link.new_setup', { command: 'npx marquee user sign-in-link admin' })}</p>
          )}
          <Button onPress={onDone}>{t('link.other_way')}</Button>
        </>
      )}
    </main>
  );
}
