import { call } from '../../../client/call.ts';
import { useMe } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { TextField } from '../../ui/fields.tsx';
import { t } from './routes.ts';
import { StepForm } from './step-form.tsx';

/** A password of one's own. A session that began with the link needs no other proof. */
export function PasswordStep({ onNext }: { onNext: () => void }) {
  const { id, username, may_set_password } = useMe();
  return (
    <StepForm
      title={t('password')}
      text={t('password.text', { name: username })}
      act={t('password.act')}
      onNext={onNext}
      save={async (typed) => {
        const current = typed('current');
        const password = typed('password');
        await call('PATCH /admin/v1/users/{id}', { id, password, ...(current && { current_password: current }) });
        await refresh('/admin/v1/me');
      }}
    >
      {(problems) => (
        <>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          {!may_set_password && (
            <TextField
              name="current"
              type="password"
              label={t('password.current')}
              autoComplete="current-password"
              problem={problems.current_password}
              isRequired
            />
          )}
          <TextField
            name="password"
            type="password"
            label={t('password.new')}
            hint={t('password.hint')}
            autoComplete="new-password"
            problem={problems.password}
            isRequired
            autoFocus
          />
        </>
      )}
    </StepForm>
  );
}
