import { Suspense, useState } from 'react';
import { call } from '../../../client/call.ts';
import { ProofForm } from '../../shared/confirmation/lazy.ts';
import { RecoveryCodes } from '../../shared/second-factor/lazy.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { RowsLoading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-store.ts';
import { t } from './routes.ts';

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
