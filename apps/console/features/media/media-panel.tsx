import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useMe, useRight, useSite } from '../../data/account.ts';
import { useContentLanguage } from '../../data/content-language.ts';
import { read } from '../../data/queries.ts';
import { languageName, when } from '../../i18n/formats.ts';
import { language } from '../../i18n/texts.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { CopyButton } from '../../ui/secret.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { Delete } from './delete.tsx';
import { FocusField } from './focus-field.tsx';
import { formerOf, languagesWithoutAlt } from './media-texts.ts';
import { Uses } from './media-uses.tsx';
import { Replace } from './replace.tsx';
import { t } from './routes.ts';

/** Editable fields of a picture. */
type MediaFields = ReturnType<typeof fieldsOf>;

/** Default focus point: the middle. */
const MIDDLE = { x: 50, y: 50 };

const fieldsOf = ({ title, alt = '', focus = MIDDLE }: Media) => ({ title, alt, focus });

/** Form of a picture. */
const mediaKind: RecordKind<Media, MediaFields> = {
  path: '/admin/v1/media',
  read: (id) => read('GET /admin/v1/media/{id}', { id }),
  write: (id, patch, options) => call('PATCH /admin/v1/media/{id}', { id, ...patch }, options),
  fieldsOf,
  formerOf,
  isDraft: () => false,
};

const labelOf = (name: string) => t(`field.${name as 'title'}`);

interface MediaPanelProps {
  id: number;
  onClose: () => void;
}

/** Panel of a picture: texts, focus point, uses. */
export function MediaPanel({ id, onClose }: MediaPanelProps) {
  const { data: edited, error, retry } = useRecord(mediaKind, id);
  return (
    <DialogBox isPanel title={edited?.record.title ?? t('title')} onClose={onClose}>
      {error !== undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {!edited && !error && <RowsLoading rows={4} />}
      {edited && <Content edited={edited} onClose={onClose} />}
    </DialogBox>
  );
}

/** Whether the account may change a picture: an own one, or any. */
function useMayEdit({ author }: Media): boolean {
  const me = useMe();
  const mayAll = useRight('edit_others');
  return mayAll || author === String(me.id);
}

function Content({ edited, onClose }: { edited: EditedRecord<Media, MediaFields>; onClose: () => void }) {
  const { record } = edited;
  const uses = useQuery(read('GET /admin/v1/media/{id}/used-by', { id: record.id }));
  const mayEdit = useMayEdit(record);
  return (
    <div className="media-panel">
      <FocusField picture={record} {...edited.field('focus')} isReadOnly={!mayEdit} />
      <p className="soft">
        {[
          t('dimensions', { width: String(record.width), height: String(record.height) }),
          bytesShown(record.filesize),
          when.ago(record.date_utc),
        ].join(' · ')}
      </p>
      {mayEdit ? <Fields edited={edited} /> : <p>{record.alt}</p>}
      <Uses uses={uses.data} error={uses.error} />
      <div className="actions">
        <CopyButton text={new URL(record.url, location.origin).href} label={t('copy')} />
        {mayEdit && <Replace record={record} uses={uses.data} />}
        {mayEdit && <Delete record={record} uses={uses.data} onDeleted={onClose} />}
      </div>
    </div>
  );
}

function Fields({ edited }: { edited: EditedRecord<Media, MediaFields> }) {
  const { languages } = useSite();
  const language = useContentLanguage();
  const named = languages.length > 1 && language ? ` (${languageName(language)})` : '';
  return (
    <>
      <TextField label={labelOf('title')} {...edited.field('title')} />
      <TextField label={`${labelOf('alt')}${named}`} hint={t('alt.hint')} {...edited.field('alt')} rows={2} />
      <OtherLanguages picture={edited.record} />
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </>
  );
}

/** Links to the alternative texts in other languages. */
function OtherLanguages({ picture }: { picture: Media }) {
  const { languages } = useSite();
  const current = useContentLanguage();
  const missing = languagesWithoutAlt(picture, languages);
  const others = languages.slice(1).filter((one) => one !== current);
  if (others.length === 0) return null;
  return (
    <ul className="media-languages" aria-label={t('languages')}>
      {others.map((language) => (
        <li key={language}>
          <Link to="/translations/$kind/$id" params={{ kind: 'media', id: String(picture.id) }} search={{ language }}>
            {t(missing.includes(language) ? 'language.missing' : 'language.there', {
              language: languageName(language),
            })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** Formats a file size: `1.4 MB`. */
function bytesShown(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const format = { style: 'unit', unit: UNITS[step] ?? 'byte', maximumFractionDigits: step === 2 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step);
}
