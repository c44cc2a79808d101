import { useMe } from '../../data/account.ts';
import { TextField } from '../../ui/fields.tsx';

interface PasswordFieldsProps {
  /** Names and hints of the fields. */
  t: (key: 'password.current' | 'password.new' | 'password.hint') => string;
  /** Why the server refuses each field. */
  problems: Readonly<Record<string, string>>;
  autoFocus?: boolean;
}

/** Fields for a new password of the user, and for the current one unless the session began with a link. */
export function PasswordFields({ t, problems, autoFocus = false }: PasswordFieldsProps) {
  const { username, may_set_password } = useMe();
  return (
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
        autoFocus={autoFocus}
      />
    </>
  );
}
