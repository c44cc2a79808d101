import { call } from '../../client/call.ts';
import { useSite } from '../frame/account.ts';
import { refresh } from '../frame/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { TextField } from '../parts/text-field.tsx';
import { StepForm } from './step-form.tsx';
import './set-up.css';
import { t } from './texts.ts';

/** The name of the site, and what only the environment of the server can change. */
export function SiteStep({ onNext }: { onNext: () => void }) {
  const { name, revision, fixed, timezone, currency, languages } = useSite();
  const { timeZone: here } = Intl.DateTimeFormat().resolvedOptions();
  const isNameFixed = fixed.includes('name');
  return (
    <StepForm
      title={t('site')}
      text={t('site.text')}
      act={t('site.act')}
      onNext={onNext}
      save={async (typed) => {
        const newName = typed('name').trim();
        if (isNameFixed || newName === name) return;
        await call('PATCH /admin/v1/site', { name: newName }, { revision });
        await refresh('/admin/v1/site');
      }}
    >
      {(problems) => (
        <>
          {isNameFixed ? (
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
          <Locked label={t('site.languages')} value={languages.join(', ')} variable="MARQUEE_LANGUAGES" />
          <Locked label={t('site.timezone')} value={timezone} variable="MARQUEE_TIMEZONE" />
          {here !== timezone && <p className="hint">{t('site.here', { zone: here })}</p>}
          <Locked label={t('site.currency')} value={currency} variable="MARQUEE_CURRENCY" />
        </>
      )}
    </StepForm>
  );
}

const Locked = ({ label, value, variable }: { label: string; value: string; variable: string }) => (
  <dl className="set-up-locked">
    <dt className="label">{label}</dt>
    <dd>
      <Icon name="lock" /> {value}
    </dd>
    <dd className="hint">{t('site.locked', { variable })}</dd>
  </dl>
);
