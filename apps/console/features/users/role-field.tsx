import { t as frameText } from '../../i18n/common.ts';
import { SelectField } from '../../ui/native-field.tsx';
import { ROLES, type Role } from './roles.ts';
import { t } from './routes.ts';

/** A role, with what it may do. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <SelectField
      label={t('role')}
      hint={t(`may.${value}`)}
      value={value}
      onChange={onChange}
      choices={ROLES.map((role) => ({ value: role, label: frameText(`role.${role}`) }))}
    />
  );
}
