import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSite } from '../../../data/account.ts';
import { read } from '../../../data/queries.ts';
import { languageTitle } from '../../../i18n/formats.ts';
import { EventPicker } from '../../../shared/pickers/record-picker.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { CopyButton } from '../../../ui/secret.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Views } from '../../../ui/table/filter-bar.tsx';
import { PositiveField } from '../fields.tsx';
import { PagePreview } from '../page-preview.tsx';
import { t } from '../routes.ts';
import { SettingsPage } from '../settings-page.tsx';
import { type Embed, elementCode, embedPath, frameCode } from './embed-code.ts';
import { RecordField, useRecordNamed } from './record-field.tsx';

/** Builds the code that embeds events in another site. */
export function Screen() {
  return (
    <SettingsPage name="embeds">
      <Builder />
    </SettingsPage>
  );
}

const CONTENTS = ['list', 'month', 'event'] as const;
const THEMES = ['', 'light', 'dark'] as const;
const FILTERS = ['category', 'tag', 'venue', 'organizer'] as const;
const LIMITS = ['3', '5', '10', '20', '30'] as const;

type Names = Readonly<Record<(typeof FILTERS)[number], string>>;

interface Choices {
  content: (typeof CONTENTS)[number];
  event: number | undefined;
  names: Names;
  search: string;
  limit: (typeof LIMITS)[number];
  language: string;
  theme: (typeof THEMES)[number];
}

const FIRST: Choices = {
  content: 'list',
  event: undefined,
  search: '',
  limit: '5',
  language: '',
  theme: '',
  names: { category: '', tag: '', venue: '', organizer: '' },
};

function Builder() {
  const [choices, setChoices] = useState(FIRST);
  const embed = useEmbed(choices);
  const change = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes });
  const isReady = embed.content !== 'event' || embed.event !== '';
  return (
    <div className="look embeds">
      <div>
        <section className="form-section" aria-labelledby="content">
          <h2 id="content">{t('section.content')}</h2>
          <Fields choices={choices} change={change} />
        </section>
        {isReady && <Codes embed={embed} />}
      </div>
      <section className="look-preview" aria-labelledby="preview">
        <h2 id="preview">{t('preview.title')}</h2>
        {isReady ? (
          <PagePreview path={embedPath(embed)} label={t('preview.embed')} />
        ) : (
          <Empty text={t('embeds.choose')} icon="events" />
        )}
      </section>
    </div>
  );
}

/** The options with their records. */
function useEmbed({ content, event, names, search, limit, language, theme }: Choices): Embed {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event ?? 0 }, { isOn: event !== undefined }));
  const found = {
    category: useRecordNamed('category', names.category).record,
    tag: useRecordNamed('tag', names.tag).record,
    venue: useRecordNamed('venue', names.venue).record,
    organizer: useRecordNamed('organizer', names.organizer).record,
  };
  const filter = (kind: keyof Names) => (names[kind].trim() === '' ? '' : (found[kind]?.value ?? ''));
  const filters = {
    category: filter('category'),
    tag: filter('tag'),
    venue: filter('venue'),
    organizer: filter('organizer'),
  };
  return {
    content,
    language,
    theme,
    event: event === undefined || !data ? '' : decodeURIComponent(data.slug),
    filters: { ...filters, search: search.trim(), limit },
  };
}

interface FieldsProps {
  choices: Choices;
  change: (changes: Partial<Choices>) => void;
}

function Fields({ choices: { content, event, names, search, limit, language, theme }, change }: FieldsProps) {
  const { languages } = useSite();
  const codes = languages.map((code, index) => ({ value: index === 0 ? '' : code, label: languageTitle(code) }));
  return (
    <>
      <Views
        label={t('embeds.content')}
        value={content}
        onChange={(next) => change({ content: next })}
        choices={CONTENTS.map((value) => ({ value, label: t(`embeds.${value}`) }))}
      />
      {content === 'event' ? (
        <EventPicker label={t('embeds.event')} value={event} onChange={(next) => change({ event: next })} />
      ) : (
        <>
          <div className="form-row">
            {FILTERS.map((kind) => (
              <RecordField
                key={kind}
                kind={kind}
                typed={names[kind]}
                onType={(typed) => change({ names: { ...names, [kind]: typed } })}
              />
            ))}
          </div>
          <div className="form-row">
            <TextField label={t('filter.search')} value={search} onChange={(next) => change({ search: next })} />
            {content === 'list' && (
              <SelectField
                label={t('filter.limit')}
                value={limit}
                onChange={(next) => change({ limit: next })}
                choices={LIMITS.map((value) => ({ value, label: value }))}
              />
            )}
          </div>
        </>
      )}
      {languages.length > 1 && (
        <SelectField
          label={t('embeds.language')}
          value={language}
          onChange={(next) => change({ language: next })}
          choices={codes}
        />
      )}
      <SelectField
        label={t('embeds.theme')}
        value={theme}
        onChange={(next) => change({ theme: next })}
        choices={THEMES.map((value) => ({ value, label: t(`embeds.theme.${value || 'auto'}`) }))}
      />
    </>
  );
}

/** In pixels; about three events. */
const FRAME_HEIGHT = 600;

function Codes({ embed }: { embed: Embed }) {
  const { url, name: title } = useSite();
  const [height, setHeight] = useState(FRAME_HEIGHT);
  const { origin } = new URL(url);
  return (
    <section className="form-section" aria-labelledby="code">
      <h2 id="code">{t('section.code')}</h2>
      <Code label={t('embeds.element')} hint={t('embeds.element_hint')} text={elementCode(embed, { origin, title })} />
      <Code
        label={t('embeds.frame')}
        hint={t('embeds.frame_hint')}
        text={frameCode(embed, { origin, title, height })}
      />
      <PositiveField label={t('embeds.height')} value={height} onChange={setHeight} />
    </section>
  );
}

/** Code to copy. */
function Code({ label, hint, text }: { label: string; hint: string; text: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-hint`} className="hint">
        {hint}
      </span>
      <textarea
        id={id}
        className="code"
        aria-describedby={`${id}-hint`}
        value={text}
        rows={4}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <div>
        <CopyButton text={text} />
      </div>
    </div>
  );
}
