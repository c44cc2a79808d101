import { type FormEvent, useId, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Site } from '../../../../packages/client/src/marquee-client.ts';
import { languageName, languagesWith, languageTitle } from '../../i18n/formats.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { LockedField } from './fields.tsx';
import { t } from './routes.ts';
import { type EditedSite, SettingsPage, SiteForm } from './settings-page.tsx';
import { languagesKind } from './site-kinds.ts';

/** Settings of the site with a text in each language. */
const TRANSLATED_TEXTS = [
  'name',
  'tagline',
  'about',
  'terms',
  'privacy',
  'refunds',
  'legal_links',
  'payment_ways',
] as const;

const show = (_name: string, value: unknown): string => (value as string[]).map(languageTitle).join(', ');

/** Languages of the site, with the texts of the site that exist in each. */
export function Screen() {
  return (
    <SettingsPage name="languages">
      <SiteForm kind={languagesKind} labelOf={() => t('field.languages')} show={show}>
        {(edited) => (
          <div className="settings-form">
            <Languages edited={edited} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}

function Languages({ edited: { record, field } }: { edited: EditedSite<{ languages: string[] }> }) {
  const { value, onChange, problem } = field('languages');
  const isFixed = record.fixed.includes('languages');
  return (
    <section className="form-section" aria-labelledby="languages">
      <h2 id="languages">{t('section.languages')}</h2>
      <p className="hint">{t('hint.languages')}</p>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <ol className="cards">
        {value.map((language, index) => (
          <LanguageLine
            key={language}
            language={language}
            isFirst={index === 0}
            site={record}
            {...(!isFixed && index > 0 && { onRemove: () => onChange(value.filter((one) => one !== language)) })}
          />
        ))}
      </ol>
      {isFixed ? (
        <LockedField label={t('field.languages')} value={value.join(', ')} variable="MARQUEE_LANGUAGES" />
      ) : (
        <>
          <NewLanguage present={value} onAdd={(language) => onChange([...value, language])} />
          <p className="hint">{t('languages.kept')}</p>
        </>
      )}
    </section>
  );
}

interface NewLanguageProps {
  present: readonly string[];
  onAdd: (language: string) => void;
}

/** Field for a language: common ones by name, others by code. */
function NewLanguage({ present, onAdd }: NewLanguageProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const choices = languagesWith([]).filter(({ value }) => !present.includes(value));
  const add = (event: FormEvent) => {
    event.preventDefault();
    const language = codeOf(typed, choices);
    setUnknown(language === undefined);
    if (language === undefined) return;
    setTyped('');
    if (!present.includes(language)) onAdd(language);
  };
  return (
    <Form onSubmit={add} className="form">
      <div className="field">
        <label htmlFor={id}>{t('languages.new')}</label>
        <input
          id={id}
          list={`${id}-found`}
          value={typed}
          maxLength={60}
          autoComplete="off"
          aria-invalid={isUnknown}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setTyped(target.value)}
        />
        <datalist id={`${id}-found`}>
          {choices.map(({ value, label }) => (
            <option key={value} value={label} />
          ))}
        </datalist>
        <span id={`${id}-hint`} className={isUnknown ? 'field-error' : 'hint'} role="status">
          {isUnknown ? t('languages.unknown') : t('languages.new_hint')}
        </span>
      </div>
      <div className="actions">
        <Button type="submit" icon="plus" isDisabled={typed.trim() === ''}>
          {t('languages.add')}
        </Button>
      </div>
    </Form>
  );
}

/** Code of a language by its name or code; undefined for other texts. */
function codeOf(typed: string, choices: readonly { value: string; label: string }[]): string | undefined {
  const text = typed.trim();
  const named = choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  if (named) return named.value;
  try {
    const [code] = Intl.getCanonicalLocales(text);
    // The name of an unknown language is its code.
    return code !== undefined && languageName(code).toLowerCase() !== code.toLowerCase() ? code : undefined;
  } catch {
    return undefined;
  }
}

interface LanguageLineProps {
  language: string;
  isFirst: boolean;
  site: Site;
  onRemove?: () => void;
}

function LanguageLine({ language, isFirst, site: { translations = {} }, onRemove }: LanguageLineProps) {
  const own = translations[language] ?? [];
  const missing = TRANSLATED_TEXTS.filter((name) => isInUse(name, translations) && !own.includes(name));
  const name = languageTitle(language);
  return (
    <li className="card">
      <div>
        <p>
          <strong>{name}</strong>
          <span className="soft"> {language}</span>
        </p>
        <p className="soft">
          {missing.length === 0
            ? t('languages.complete')
            : t('languages.missing', { texts: missing.map((text) => t(`field.${text}`)).join(', ') })}
          {isFirst && ` ${t('languages.first_hint')}`}
        </p>
      </div>
      {isFirst && <span className="badge info">{t('languages.first')}</span>}
      {onRemove && <IconButton icon="trash" label={t('languages.remove', { name })} onPress={onRemove} />}
    </li>
  );
}

/** Whether a text exists in any language, so that it can be translated. */
const isInUse = (name: string, translations: Readonly<Record<string, string[]>>): boolean =>
  Object.values(translations).some((names) => names.includes(name));
