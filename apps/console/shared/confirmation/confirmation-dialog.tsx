import { call } from '../../../client/call.ts';
import { useMe } from '../../data/account.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { ProofForm } from './proof-form.tsx';
import { t } from './texts.ts';

/** Confirms the session, so that the server accepts what it has just refused. */
export function ConfirmationDialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { is_enabled } = useMe().second_factor;
  return (
    <DialogBox title={t('title')} onClose={() => onEnd(false)}>
      <ProofForm
        text={t(is_enabled ? 'text' : 'text_password')}
        action={t('confirm')}
        onRun={async (proof) => {
          await call('POST /admin/v1/me/confirmation', proof);
          onEnd(true);
        }}
      />
    </DialogBox>
  );
}
