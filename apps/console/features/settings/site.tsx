import type { LegalLink } from '../../../../packages/client/src/marquee-client.ts';
import { TextField } from '../../ui/fields.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { LockedField } from './fields.tsx';
import { t } from './routes.ts';
import { AddButton, RowsField } from './rows-field.tsx';
import { type EditedSite, partOf, SettingsPage, SiteForm } from './settings-page.tsx';
import { generalKind, hasOwn } from './site-kinds.ts';

type Fields = ReturnType<typeof generalKind.fieldsOf>;
type Edited = EditedSite<Fields>;

const labelOf = (name: string): string => t(`field.${name as keyof Fields}`);

// The links are the only field that is not a text.
const show = (_name: string, value: unknown): string =>
  typeof value === 'string' ? value : (value as LegalLink[]).map(({ label }) => label).join(', ');

/** Name, texts and contact data of the site. */
export function Screen() {
  return (
    <SettingsPage name="site">
      <SiteForm kind={generalKind} labelOf={labelOf} show={show}>
        {(edited) => (
          <div className="settings-form">
            <Name edited={edited} />
            <Contact edited={edited} />
            <Texts edited={edited} />
            <LegalLinks edited={edited} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}

function Name({ edited: { record, field } }: { edited: Edited }) {
  return (
    <section className="form-section" aria-labelledby="name">
      <h2 id="name">{t('section.name')}</h2>
      {record.fixed.includes('name') ? (
        <LockedField label={labelOf('name')} value={record.name} variable="MARQUEE_NAME" />
      ) : (
        <TextField label={labelOf('name')} {...field('name')} placeholder={record.name} maxLength={100} />
      )}
      <TextField
        label={labelOf('tagline')}
        hint={t('hint.tagline')}
        {...field('tagline')}
        placeholder={record.tagline}
        maxLength={200}
      />
    </section>
  );
}

function Contact({ edited }: { edited: Edited }) {
  return (
    <section className="form-section" aria-labelledby="contact">
      <h2 id="contact">{t('section.contact')}</h2>
      <p className="hint">{t('hint.contact')}</p>
      <div className="form-row">
        <TextField label={labelOf('email')} {...partOf(edited, 'email', 'contact')} type="email" maxLength={100} />
        <TextField label={labelOf('phone')} {...partOf(edited, 'phone', 'contact')} type="tel" maxLength={50} />
      </div>
      <TextField label={labelOf('address')} {...partOf(edited, 'address', 'contact')} rows={3} maxLength={500} />
    </section>
  );
}

function Texts({ edited: { field } }: { edited: Edited }) {
  return (
    <section className="form-section" aria-labelledby="texts">
      <h2 id="texts">{t('section.texts')}</h2>
      {(['about', 'privacy'] as const).map((name) => (
        <RichText key={name} label={labelOf(name)} {...field(name)} />
      ))}
    </section>
  );
}

const MOST_LINKS = 20;

function LegalLinks({ edited: { record, field } }: { edited: Edited }) {
  const { value, onChange, problem } = field('legal_links');
  const isBorrowed = value.length === 0 && record.legal_links.length > 0 && !hasOwn(record, 'legal_links');
  const add = () => onChange([...value, { label: '', url: '' }]);
  return (
    <section className="form-section" aria-label={labelOf('legal_links')}>
      <RowsField<LegalLink>
        label={labelOf('legal_links')}
        hint={t(isBorrowed ? 'hint.links_borrowed' : 'hint.links')}
        value={value}
        onChange={onChange}
        problem={problem}
        nameOf={({ label }) => label}
        isOrdered
        actions={value.length < MOST_LINKS && <AddButton onAdd={add}>{t('links.add')}</AddButton>}
      >
        {({ label, url }, change) => (
          <>
            <TextField
              label={t('links.label')}
              value={label}
              onChange={(next) => change({ label: next })}
              maxLength={100}
            />
            <TextField
              label={t('links.url')}
              type="url"
              value={url}
              onChange={(next) => change({ url: next })}
              placeholder="https://"
            />
          </>
        )}
      </RowsField>
    </section>
  );
}
