import { useId } from 'react';
import { TextField } from '../../../ui/fields.tsx';
import { CopyButton } from '../../../ui/secret.tsx';
import { t } from '../routes.ts';
import { type EditedEvent, EditorSection, labelOf } from './editor-section.tsx';

/** Text of HTML without markup, as in search results. */
const textOf = (html: string): string =>
  (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').replace(/\s+/g, ' ').trim();

/** Length of a description in search results. */
const SHOWN = 160;

/** Address of the page, its look in search results, and the code that embeds it. */
export function AddressesSection({ edited: { record, values, field } }: { edited: EditedEvent }) {
  const url = `${new URL(record.url).origin}/event/${values.slug || '…'}/`;
  const text = textOf(values.excerpt || values.description);
  return (
    <EditorSection name="addresses">
      <TextField label={labelOf('slug')} {...field('slug')} hint={t('hint.slug')} />
      <figure className="search-preview">
        <figcaption className="label">{t('search_preview')}</figcaption>
        <div>
          <small>{url}</small>
          <strong className="clamped">{values.title}</strong>
          <span>{text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}</span>
        </div>
      </figure>
      {record.status === 'publish' && (
        <>
          <Copied label={t('calendar_link')} text={`${record.url}ical/`} />
          <Copied label={t('embed_code')} text={embedCode(record.url, record.slug)} hint={t('hint.embed')} />
        </>
      )}
    </EditorSection>
  );
}

/** Code that embeds an event in another site; slugs have no characters that need escaping. */
const embedCode = (url: string, slug: string): string =>
  `<script src="${new URL(url).origin}/embed.js" async></script>\n<marquee-events event="${slug}"></marquee-events>`;

/** A text to copy. */
function Copied({ label, text, hint }: { label: string; text: string; hint?: string }) {
  const id = useId();
  return (
    <div className="field copied">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} className="secret" value={text} rows={text.split('\n').length} readOnly />
      {hint && <span className="hint">{hint}</span>}
      <div>
        <CopyButton text={text} />
      </div>
    </div>
  );
}
