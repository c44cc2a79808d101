import { call } from '../../../client/call.ts';
import { useMe } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { PasswordFields } from '../../shared/account/password-fields.tsx';
import { t } from './routes.ts';
import { StepForm } from './step-form.tsx';

/** Sets the user's password. A session that began with a link needs no current password. */
export function PasswordStep({ onNext }: { onNext: () => void }) {
  const { id, username } = useMe();
  return (
    <StepForm
      title={t('password')}
      text={t('password.text', { name: username })}
      action={t('password.act')}
      onNext={onNext}
      save={async (typed) => {
        const current = typed('current');
        const password = typed('password');
        await call('PATCH /admin/v1/users/{id}', { id, password, ...(current && { current_password: current }) });
        await refresh('/admin/v1/me');
      }}
    >
      {(problems) => <PasswordFields t={t} problems={problems} autoFocus />}
    </StepForm>
  );
}
