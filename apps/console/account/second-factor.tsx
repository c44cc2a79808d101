import { type FormEvent, Suspense, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { call } from '../../client/call.ts';
import { useMe } from '../frame/account.ts';
import { refresh } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe, RowsLoading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { RecoveryCodes, SecondFactorSetUp } from '../second-factor/lazy.ts';
import { t } from './texts.ts';

type Act = 'set_up' | 'remove' | 'renew';

const refreshAccount = () => Promise.all([refresh('/admin/v1/me'), refresh('/admin/v1/sessions')]);

/** The second factor of one's own account. */
export function SecondFactor() {
  const { is_enabled, recovery_codes } = useMe().second_factor;
  const [act, setAct] = useState<Act>();
  const end = () => {
    setAct(undefined);
    void refreshAccount();
  };
  return (
    <section className="form-section" aria-labelledby="second-factor">
      <h2 id="second-factor">{t('factor')}</h2>
      <p>{is_enabled ? t('factor.on', { count: recovery_codes }) : t('factor.off')}</p>
      <div className="actions">
        {!is_enabled && <Button onPress={() => setAct('set_up')}>{t('factor.set_up')}</Button>}
        {is_enabled && <Button onPress={() => setAct('renew')}>{t('factor.renew')}</Button>}
        {is_enabled && <Button onPress={() => setAct('remove')}>{t('factor.remove')}</Button>}
      </div>
      {act === 'set_up' && (
        <DialogBox title={t('factor')} onClose={end}>
          <Suspense fallback={<RowsLoading rows={2} />}>
            <SecondFactorSetUp onDone={end} />
          </Suspense>
        </DialogBox>
      )}
      {act === 'remove' && <Confirm act="remove" onEnd={end} />}
      {act === 'renew' && <Confirm act="renew" onEnd={end} />}
    </section>
  );
}

/** Asks for a code, so that a session that was left open does not suffice. */
function Confirm({ act, onEnd }: { act: 'remove' | 'renew'; onEnd: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code') ?? '');
    try {
      if (act === 'remove') {
        await call('DELETE /admin/v1/me/second-factor', { code });
        onEnd();
      } else setCodes((await call('POST /admin/v1/me/second-factor/recovery-codes', { code })).recovery_codes);
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <DialogBox title={t(`factor.${act}`)} onClose={onEnd}>
      {codes ? (
        <Suspense fallback={<RowsLoading rows={2} />}>
          <RecoveryCodes codes={codes} onDone={onEnd} />
        </Suspense>
      ) : (
        <Form className="form" onSubmit={(event) => void submit(event)}>
          <p>{t(act === 'remove' ? 'factor.remove_text' : 'factor.renew_text')}</p>
          {error !== undefined && (
            <p className="form-problem" role="alert">
              {describe(error)}
            </p>
          )}
          <TextField
            name="code"
            label={t('factor.code')}
            hint={t('factor.code_hint')}
            autoComplete="one-time-code"
            isRequired
            autoFocus
          />
          <div>
            <Button type="submit" look={act === 'remove' ? 'bad' : 'primary'}>
              {t(`factor.${act}`)}
            </Button>
          </div>
        </Form>
      )}
    </DialogBox>
  );
}
