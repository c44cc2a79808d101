import { useSite } from '../../data/account.ts';
import { signOut } from '../../data/sign-out.ts';
import { t as frameText } from '../../i18n/common.ts';
import { Button } from '../../ui/button.tsx';
import { SetUp, type SetUpProps } from './set-up.tsx';
import { t } from './texts.ts';

/** All that an account may do whose role needs a second factor and that has none. */
export function SecondFactorGate(props: SetUpProps) {
  const { name } = useSite();
  return (
    <main className="gate">
      <title>{t('tab', { site: name })}</title>
      <p className="gate-sign">{name}</p>
      <h1>{t('title')}</h1>
      <p>{t('required')}</p>
      <SetUp {...props} />
      <div>
        <Button look="plain" onPress={() => void signOut()}>
          {frameText('sign_out')}
        </Button>
      </div>
    </main>
  );
}
