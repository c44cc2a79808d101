import { useQuery } from '@tanstack/react-query';
import type { Site } from '../../../packages/client/src/marquee-client.ts';
import { read } from '../frame/queries.ts';
import { Failure, RowsLoading } from '../parts/states.tsx';
import { languageName } from './language-name.ts';
import { LockedField } from './locked-field.tsx';
import { SettingsPage } from './settings-page.tsx';
import { SITE_TEXTS } from './site-texts.ts';
import { t } from './texts.ts';

/** The languages of the site, and which of its texts each of them has. */
export function Screen() {
  const { data: site, error, refetch } = useQuery(read('GET /admin/v1/site'));
  return (
    <SettingsPage name="languages">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!site && !error && <RowsLoading rows={3} />}
      {site && (
        <div className="settings-form">
          <section className="form-section" aria-labelledby="languages">
            <h2 id="languages">{t('section.languages')}</h2>
            <p className="hint">{t('hint.languages')}</p>
            <ol className="cards">
              {site.languages.map((language, index) => (
                <LanguageLine key={language} language={language} isFirst={index === 0} site={site} />
              ))}
            </ol>
            <LockedField label={t('languages.list')} value={site.languages.join(', ')} variable="MARQUEE_LANGUAGES" />
          </section>
        </div>
      )}
    </SettingsPage>
  );
}

interface LanguageLineProps {
  language: string;
  isFirst: boolean;
  site: Site;
}

function LanguageLine({ language, isFirst, site: { translations = {} } }: LanguageLineProps) {
  const own = translations[language] ?? [];
  const missing = SITE_TEXTS.filter((name) => isInUse(name, translations) && !own.includes(name));
  return (
    <li className="card">
      <div>
        <p>
          <strong>{languageName(language)}</strong>
          <span className="soft"> {language}</span>
        </p>
        <p className="soft">
          {missing.length === 0
            ? t('languages.complete')
            : t('languages.missing', { texts: missing.map((name) => t(`field.${name}`)).join(', ') })}
        </p>
      </div>
      {isFirst && <span className="badge info">{t('languages.first')}</span>}
    </li>
  );
}

/** Whether any language has a text, so that the others could have it too. */
const isInUse = (name: string, translations: Readonly<Record<string, string[]>>): boolean =>
  Object.values(translations).some((names) => names.includes(name));
