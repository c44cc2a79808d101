import type { ReactNode } from 'react';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { currenciesWith, languagesWith, zonesWith } from '../../i18n/formats.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useValues } from '../../ui/use-values.ts';
import { t } from './routes.ts';
import { StepForm } from './step-form.tsx';
import './set-up.css';

/** Default time zone of a server. */
const UNSET_ZONE = 'UTC';

interface Chosen {
  language: string;
  timezone: string;
  currency: string;
}

/** Time zone of the browser. */
const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Name, language, time zone and currency of the site, unless the server's environment sets them. */
export function SiteStep({ onNext }: { onNext: () => void }) {
  const { name, revision, fixed, timezone, currency, languages } = useSite();
  const [first = 'en', ...others] = languages;
  const [chosen, change] = useValues<Chosen>({
    language: first,
    timezone: timezone === UNSET_ZONE && !fixed.includes('timezone') ? zoneHere() : timezone,
    currency,
  });
  return (
    <StepForm
      title={t('site')}
      text={t('site.text')}
      action={t('site.act')}
      onNext={onNext}
      save={async (typed) => {
        const newName = typed('name').trim();
        const change = {
          ...(!fixed.includes('name') && newName !== name && { name: newName }),
          ...(chosen.language !== first && { languages: withFirst(chosen.language, [first, ...others]) }),
          ...(chosen.timezone !== timezone && { timezone: chosen.timezone }),
          ...(chosen.currency !== currency && { currency: chosen.currency }),
        };
        if (Object.keys(change).length === 0) return;
        await call('PATCH /admin/v1/site', change, { revision });
        await refresh('/admin/v1/site');
      }}
    >
      {(problems) => <SiteFields chosen={chosen} onChange={change} problems={problems} />}
    </StepForm>
  );
}

interface SiteFieldsProps {
  chosen: Chosen;
  onChange: (changed: Partial<Chosen>) => void;
  problems: Readonly<Record<string, string>>;
}

function SiteFields({ chosen, onChange, problems }: SiteFieldsProps) {
  const { name, timezone, currency, languages } = useSite();
  const here = zoneHere();
  return (
    <>
      <Setting name="name" label={t('site.name')} value={name} variable="MARQUEE_NAME">
        <TextField
          name="name"
          label={t('site.name')}
          defaultValue={name}
          maxLength={100}
          problem={problems.name}
          isRequired
          autoFocus
        />
      </Setting>
      <Setting name="languages" label={t('site.languages')} value={languages.join(', ')} variable="MARQUEE_LANGUAGES">
        <SelectField
          label={t('site.language')}
          hint={t('site.language_hint')}
          value={chosen.language}
          onChange={(language) => onChange({ language })}
          choices={languagesWith(languages)}
          problem={problems.languages}
        />
      </Setting>
      <Setting name="timezone" label={t('site.timezone')} value={timezone} variable="MARQUEE_TIMEZONE">
        <SelectField
          label={t('site.timezone')}
          value={chosen.timezone}
          onChange={(zone) => onChange({ timezone: zone })}
          choices={zonesWith(chosen.timezone)}
          problem={problems.timezone}
          hint={here === chosen.timezone ? undefined : t('site.here', { zone: here })}
        />
      </Setting>
      <Setting name="currency" label={t('site.currency')} value={currency} variable="MARQUEE_CURRENCY">
        <SelectField
          label={t('site.currency')}
          value={chosen.currency}
          onChange={(code) => onChange({ currency: code })}
          choices={currenciesWith(currency)}
          problem={problems.currency}
        />
      </Setting>
    </>
  );
}

interface SettingProps {
  name: ReturnType<typeof useSite>['fixed'][number];
  label: string;
  value: string;
  /** Variable of the environment. */
  variable: string;
  /** Its field. */
  children: ReactNode;
}

/** Field of a setting, or its value if the server's environment sets it. */
function Setting({ name, label, value, variable, children }: SettingProps) {
  if (!useSite().fixed.includes(name)) return children;
  return (
    <dl className="set-up-locked">
      <dt className="label">{label}</dt>
      <dd>
        <Icon name="lock" /> {value}
      </dd>
      <dd className="hint">{t('site.locked', { variable })}</dd>
    </dl>
  );
}

/** The languages with `first` moved to the front. */
const withFirst = (first: string, languages: readonly string[]): string[] => [
  first,
  ...languages.filter((language) => language !== first),
];
