import { Suspense, useState } from 'react';
import { call } from '../../../client/call.ts';
import { useMe } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { ProofForm } from '../../shared/confirmation/confirmation.ts';
import { RecoveryCodes, SecondFactorSetUp } from '../../shared/second-factor/second-factor.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { useFocusOnChange } from '../../ui/focus.ts';
import { RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const refreshAccount = () => Promise.all([refresh('/admin/v1/me'), refresh('/admin/v1/sessions')]);

/** Second factor of the user's own account. */
export function SecondFactor() {
  const { is_enabled, is_required, recovery_codes } = useMe().second_factor;
  const [act, setAct] = useState<FactorAct | 'set_up'>();
  const heading = useFocusOnChange<HTMLHeadingElement>(is_enabled);
  const end = () => {
    setAct(undefined);
    void refreshAccount();
  };
  const removal = is_required ? 'replace' : 'remove';
  return (
    <section className="form-section" aria-labelledby="second-factor">
      <h2 id="second-factor" ref={heading} tabIndex={-1}>
        {t('factor')}
      </h2>
      <p>{is_enabled ? t('factor.on', { count: recovery_codes }) : t('factor.off')}</p>
      {is_enabled && is_required && <p className="soft">{t('factor.required')}</p>}
      <div className="actions">
        {!is_enabled && <Button onPress={() => setAct('set_up')}>{t('factor.set_up')}</Button>}
        {is_enabled && <Button onPress={() => setAct('renew')}>{t('factor.renew')}</Button>}
        {is_enabled && <Button onPress={() => setAct(removal)}>{t(`factor.${removal}`)}</Button>}
      </div>
      {act === 'set_up' && (
        <DialogBox title={t('factor')} onClose={end}>
          <Suspense fallback={<RowsLoading rows={2} />}>
            <SecondFactorSetUp onDone={end} />
          </Suspense>
        </DialogBox>
      )}
      {act && act !== 'set_up' && <ConfirmFactor act={act} onEnd={end} />}
    </section>
  );
}

/** Actions on a second factor; `replace` removes one that the role requires, so that a new one must be set up. */
type FactorAct = 'remove' | 'replace' | 'renew';

interface ConfirmFactorProps {
  act: FactorAct;
  onEnd: () => void;
}

/** Asks for a code or the password, since an open session is not enough. */
function ConfirmFactor({ act, onEnd }: ConfirmFactorProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  const run = async (proof: { code?: string; password?: string }) => {
    if (act === 'renew') {
      const { recovery_codes } = await call('POST /admin/v1/me/second-factor/recovery-codes', proof);
      return setCodes(recovery_codes);
    }
    await call('DELETE /admin/v1/me/second-factor', proof);
    if (act === 'remove') toast(t('factor.removed'));
    onEnd();
  };
  return (
    <DialogBox title={t(`factor.${act}`)} onClose={onEnd}>
      <Suspense fallback={<RowsLoading rows={2} />}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={onEnd} />
        ) : (
          <ProofForm
            text={t(`factor.${act}_text`)}
            action={t(`factor.${act}`)}
            isDangerous={act !== 'renew'}
            onRun={run}
          />
        )}
      </Suspense>
    </DialogBox>
  );
}
