import { useState } from 'react';
import { call } from '../../../client/call.ts';
import { useSite } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { currenciesWith, languagesWith, zonesWith } from '../../i18n/formats.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from './routes.ts';
import { StepForm } from './step-form.tsx';
import './set-up.css';

/** Default time zone of a server. */
const UNSET_ZONE = 'UTC';

/** Name, language, time zone and currency of the site, unless the server's environment sets them. */
export function SiteStep({ onNext }: { onNext: () => void }) {
  const { name, revision, fixed, timezone, currency, languages } = useSite();
  const { timeZone: here } = Intl.DateTimeFormat().resolvedOptions();
  const [first = 'en', ...others] = languages;
  const isFixed = (setting: (typeof fixed)[number]) => fixed.includes(setting);
  const [chosen, setChosen] = useState({
    language: first,
    timezone: timezone === UNSET_ZONE && !isFixed('timezone') ? here : timezone,
    currency,
  });
  const choose = (part: keyof typeof chosen) => (value: string) =>
    setChosen((before) => ({ ...before, [part]: value }));
  return (
    <StepForm
      title={t('site')}
      text={t('site.text')}
      action={t('site.act')}
      onNext={onNext}
      save={async (typed) => {
        const newName = typed('name').trim();
        const change = {
          ...(!isFixed('name') && newName !== name && { name: newName }),
          ...(chosen.language !== first && { languages: withFirst(chosen.language, [first, ...others]) }),
          ...(chosen.timezone !== timezone && { timezone: chosen.timezone }),
          ...(chosen.currency !== currency && { currency: chosen.currency }),
        };
        if (Object.keys(change).length === 0) return;
        await call('PATCH /admin/v1/site', change, { revision });
        await refresh('/admin/v1/site');
      }}
    >
      {(problems) => (
        <>
          {isFixed('name') ? (
            <Locked label={t('site.name')} value={name} variable="MARQUEE_NAME" />
          ) : (
            <TextField
              name="name"
              label={t('site.name')}
              defaultValue={name}
              maxLength={100}
              problem={problems.name}
              isRequired
              autoFocus
            />
          )}
          {isFixed('languages') ? (
            <Locked label={t('site.languages')} value={languages.join(', ')} variable="MARQUEE_LANGUAGES" />
          ) : (
            <SelectField
              label={t('site.language')}
              hint={t('site.language_hint')}
              value={chosen.language}
              onChange={choose('language')}
              choices={languagesWith(languages)}
              problem={problems.languages}
            />
          )}
          {isFixed('timezone') ? (
            <Locked label={t('site.timezone')} value={timezone} variable="MARQUEE_TIMEZONE" />
          ) : (
            <SelectField
              label={t('site.timezone')}
              value={chosen.timezone}
              onChange={choose('timezone')}
              choices={zonesWith(chosen.timezone)}
              problem={problems.timezone}
              hint={here === chosen.timezone ? undefined : t('site.here', { zone: here })}
            />
          )}
          {isFixed('currency') ? (
            <Locked label={t('site.currency')} value={currency} variable="MARQUEE_CURRENCY" />
          ) : (
            <SelectField
              label={t('site.currency')}
              value={chosen.currency}
              onChange={choose('currency')}
              choices={currenciesWith(currency)}
              problem={problems.currency}
            />
          )}
        </>
      )}
    </StepForm>
  );
}

/** The languages with `first` moved to the front. */
const withFirst = (first: string, languages: readonly string[]): string[] => [
  first,
  ...languages.filter((language) => language !== first),
];

const Locked = ({ label, value, variable }: { label: string; value: string; variable: string }) => (
  <dl className="set-up-locked">
    <dt className="label">{label}</dt>
    <dd>
      <Icon name="lock" /> {value}
    </dd>
    <dd className="hint">{t('site.locked', { variable })}</dd>
  </dl>
);
