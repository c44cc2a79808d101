import { Suspense, useState } from 'react';
import { useMe } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { SecondFactorSetUp } from '../../shared/second-factor/lazy.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { RowsLoading } from '../../ui/states.tsx';
import { useFocusOnChange } from '../../ui/use-focus-on-change.ts';
import { ConfirmFactor, type FactorAct } from './confirm-factor.tsx';
import { t } from './routes.ts';

const refreshAccount = () => Promise.all([refresh('/admin/v1/me'), refresh('/admin/v1/sessions')]);

/** The second factor of one's own account. */
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
