import { Suspense, useState } from 'react';
import { call } from '../../client/call.ts';
import { ProofForm } from '../confirmation/lazy.ts';
import { toast } from '../frame/toast-store.ts';
import { DialogBox } from '../parts/dialog-box.tsx';
import { RowsLoading } from '../parts/states.tsx';
import { RecoveryCodes } from '../second-factor/lazy.ts';
import { t } from './texts.ts';

/** What is done with a second factor; `replace` is the removal for who then has to set up another one. */
export type FactorAct = 'remove' | 'replace' | 'renew';

interface ConfirmFactorProps {
  act: FactorAct;
  onEnd: () => void;
}

/** Asks for a code or the password, so that a session that was left open does not suffice. */
export function ConfirmFactor({ act, onEnd }: ConfirmFactorProps) {
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
