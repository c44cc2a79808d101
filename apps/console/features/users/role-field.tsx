import { t as frameText } from '../../i18n/texts.ts';
import { SelectField } from '../../ui/fields.tsx';
import { ROLES, type Role, t } from './routes.ts';

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
