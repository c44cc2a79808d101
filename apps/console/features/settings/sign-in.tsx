import { useMe } from '../../data/account.ts';
import { t as commonText } from '../../i18n/texts.ts';
import { Switch } from '../../ui/fields.tsx';
import { t } from './routes.ts';
import { SettingsPage, SiteForm } from './settings-page.tsx';
import { signInKind } from './site-kinds.ts';

const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door', 'box_office'] as const;
type Role = (typeof ROLES)[number];

const labelOf = (name: string): string => t(`field.${name as 'second_factor_roles'}`);
const show = (_name: string, value: unknown): string =>
  (value as Role[]).map((role) => commonText(`role.${role}`)).join(', ');

/** Roles that require a second factor. */
export function Screen() {
  const { role: ownRole, second_factor } = useMe();
  return (
    <SettingsPage name="sign-in">
      <SiteForm kind={signInKind} labelOf={labelOf} show={show}>
        {({ field }) => {
          const { value, onChange, problem } = field('second_factor_roles');
          const isAboutMe = value.includes(ownRole) && !second_factor.is_enabled;
          return (
            <div className="settings-form">
              <section className="form-section" aria-labelledby="factor">
                <h2 id="factor">{labelOf('second_factor_roles')}</h2>
                <p className="hint">{t('hint.factor')}</p>
                {problem && <p className="form-problem">{problem}</p>}
                <div className="choices">
                  {ROLES.map((role) => (
                    <Switch
                      key={role}
                      isSelected={value.includes(role)}
                      onChange={(isOn) => onChange(ROLES.filter((one) => (one === role ? isOn : value.includes(one))))}
                    >
                      {commonText(`role.${role}`)}
                    </Switch>
                  ))}
                </div>
                {isAboutMe && (
                  <p className="hint" role="status">
                    {t('factor.own')}
                  </p>
                )}
              </section>
            </div>
          );
        }}
      </SiteForm>
    </SettingsPage>
  );
}
