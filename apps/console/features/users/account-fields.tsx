import { useSite } from '../../data/account.ts';
import { languageName } from '../../i18n/formats.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { SecretSheet } from '../../ui/dialog-box.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Secret } from '../../ui/secret.tsx';
import { ROLES, type Role, t } from './routes.ts';

/** Choice of a role, with a description of its rights. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <SelectField
      label={t('role')}
      hint={t(`may.${value}`)}
      value={value}
      onChange={onChange}
      choices={ROLES.map((role) => ({ value: role, label: commonText(`role.${role}`) }))}
    />
  );
}

/** Choice of the language of mails; only on sites with several. */
export function LanguageField({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const { languages } = useSite();
  if (languages.length < 2) return null;
  return (
    <SelectField
      label={t('language')}
      value={value}
      onChange={onChange}
      choices={[
        { value: '', label: t('language.site') },
        ...languages.map((code) => ({ value: code, label: languageName(code) })),
      ]}
    />
  );
}

/** Shows a sign-in link, which the server shows once. */
export function LinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <SecretSheet title={t('link')} onClose={onClose}>
      <p>{t('link.text')}</p>
      <Secret label={t('link')} value={url} />
    </SecretSheet>
  );
}
