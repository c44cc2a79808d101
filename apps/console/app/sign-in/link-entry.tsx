import { useState } from 'react';
import { isProblem } from '../../../client/problem.ts';
import { useSite } from '../../data/account.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { type SignInLink, t } from './entry.ts';
import { signInByLink } from './session.ts';

interface LinkEntryProps {
  link: SignInLink;
  onDone: () => void;
}

/** Signs in by a link at the press of a button, since programs that look at links in messages must not spend them. */
export function LinkEntry({ link: { kind, token }, onDone }: LinkEntryProps) {
  const { name } = useSite();
  const go = useGo();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    try {
      await signInByLink(token);
      onDone();
      go(kind === 'setup' ? '/set-up' : '/account');
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t(kind === 'setup' ? 'link.setup' : 'link.title')}</h1>
      {error === undefined ? (
        <>
          <p>{t(kind === 'setup' ? 'link.setup_text' : 'link.text')}</p>
          <Button look="primary" autoFocus isPending={isBusy} onPress={() => void enter()}>
            {t('link.enter')}
          </Button>
        </>
      ) : (
        <>
          <FormProblem error={error} />
          {kind === 'setup' && isProblem(error, 'sign-in-link-invalid') && (
            <p>{t('link.new_setup', { command: 'npx marquee user sign-in-link admin' })}</p>
          )}
          <Button onPress={onDone}>{t('link.other_way')}</Button>
        </>
      )}
    </main>
  );
}
