import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Event } from '../../../../packages/client/src/marquee-client.ts';
import { useMe, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { languageName } from '../../i18n/formats.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { Page, PageLoading } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { gapAfter, isKind, KINDS, type Kind, mayTranslate, type ReadPage, TEXTS } from './kinds.ts';
import { labelOf, t } from './routes.ts';
import { readTexts, type TextRecord, type Texts, textKind, textsOf } from './text-kind.ts';
import './translations.css';

const route = getRouteApi('/translations/$kind/$id');

/** A record in two languages side by side: the first is read, the other is edited. */
export function Screen() {
  const { kind, id } = route.useParams();
  const { language } = route.useSearch();
  const { languages } = useSite();
  const target = languages.slice(1).find((one) => one === language) ?? languages[1];
  if (!isKind(kind) || target === undefined)
    return (
      <Page title={t('title')}>
        <Empty icon="translate" text={t(target === undefined ? 'one_language' : 'unknown')} />
      </Page>
    );
  return <Pair key={`${kind} ${id} ${target}`} kind={kind} id={Number(id)} language={target} />;
}

interface PairProps {
  kind: Kind;
  id: number;
  language: string;
}

function Pair({ kind, id, language }: PairProps) {
  const [first = ''] = useSite().languages;
  const source = useQuery(readTexts(kind, id, first));
  const { data: edited, error, retry } = useRecord(textKind(kind, language), id, language);
  const isTicket = kind === 'ticket';
  const input = { id: Number(edited?.record.post_id) };
  const event = useQuery(read('GET /events/v1/events/{id}', input, { isOn: isTicket && edited !== undefined }));
  const problem = error ?? source.error ?? event.error;
  if (problem)
    return (
      <Page title={t('title')}>
        <Failure error={problem} onRetry={retry} />
      </Page>
    );
  if (!edited || !source.data || (isTicket && !event.data)) return <PageLoading />;
  return (
    <Form
      kind={kind}
      id={id}
      language={language}
      edited={edited}
      first={first}
      event={event.data}
      source={textsOf(kind, source.data)}
    />
  );
}

interface FormProps extends PairProps {
  first: string;
  source: Texts;
  edited: EditedRecord<TextRecord, Texts>;
  /** Event of a ticket. */
  event: Event | undefined;
}

function Form({ kind, id, language, first, source, edited, event }: FormProps) {
  const navigate = route.useNavigate();
  const goOn = async () => {
    if (edited.changed.length > 0 && !(await edited.save())) return;
    const next = await nextGap({ kind, id }, language);
    if (!next) toast(t('all_done', { language: languageName(language) }));
    await (next
      ? navigate({ to: '/translations/$kind/$id', params: { ...next, id: String(next.id) }, search: { language } })
      : navigate({ to: '/translations', search: { kind, language } }));
  };
  const next = useAction(goOn, { onError: toastProblem });
  const mayWrite = mayTranslate(useMe(), { kind, record: edited.record, event });
  useShortcut('Mod+Enter', t('next'), () => mayWrite && next.run());
  const texts = TEXTS[kind].filter(({ name }) => source[name] !== '' || edited.values[name] !== '');
  const name = Object.values(source)[0] || t('untitled');
  return (
    <Page
      title={name}
      note={
        <Link to="/translations" search={{ kind, language }}>
          {t('back', { language: languageName(language) })}
        </Link>
      }
      actions={
        mayWrite && (
          <Button look="primary" icon="right" onPress={() => next.run()}>
            {t('next')}
          </Button>
        )
      }
    >
      {!mayWrite && <p className="hint read-only">{t('read_only')}</p>}
      <div className="translation">
        {(texts.length > 0 ? texts : TEXTS[kind]).map(({ name: text, rows, isRich }) => (
          <TextPair
            key={text}
            label={labelOf(text)}
            languages={[first, language]}
            source={source[text]}
            field={edited.field(text)}
            isRich={isRich}
            rows={rows}
            mayWrite={mayWrite}
          />
        ))}
      </div>
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </Page>
  );
}

interface TextPairProps {
  label: string;
  /** Languages of the source and the translation. */
  languages: readonly [string, string];
  source: string | undefined;
  field: ReturnType<EditedRecord<TextRecord, Texts>['field']>;
  isRich: boolean | undefined;
  rows: number | undefined;
  mayWrite: boolean;
}

/** A text beside its translation. */
function TextPair({ label, languages: [first, language], source, field, isRich, rows, mayWrite }: TextPairProps) {
  const translated = `${label} (${languageName(language)})`;
  return (
    <div className="translation-pair">
      <div>
        <p className="translation-label">{`${label} (${languageName(first)})`}</p>
        <Source text={source} isRich={isRich} language={first} />
      </div>
      {mayWrite ? (
        <TranslationField isRich={isRich} rows={rows} label={translated} language={language} {...field} />
      ) : (
        <div>
          <p className="translation-label">{translated}</p>
          <Source text={field.value} isRich={isRich} language={language} />
        </div>
      )}
    </div>
  );
}

interface SourceProps {
  text: string | undefined;
  isRich: boolean | undefined;
  language: string;
}

/** A read-only text. */
function Source({ text = '', isRich, language }: SourceProps) {
  return (
    <div className="translation-source" lang={language}>
      {(isRich ? plainText(text) : text) || <span className="soft">{t('empty')}</span>}
    </div>
  );
}

interface FieldProps {
  label: string;
  language: string;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
  rows: number | undefined;
  isRich: boolean | undefined;
}

function TranslationField({ language, rows, isRich, ...field }: FieldProps) {
  return isRich ? (
    <RichText {...field} />
  ) : (
    <TextField {...field} lang={language} {...(rows !== undefined && { rows })} />
  );
}

interface Gap {
  kind: Kind;
  id: number;
}

/** Next record without texts in a language: first those after this one, then all of each kind. */
async function nextGap(now: Gap, language: string): Promise<Gap | undefined> {
  await refresh('/admin/v1/translations');
  const order = [now.kind, ...KINDS.filter((kind) => kind !== now.kind)];
  for (const kind of order) {
    const readPage: ReadPage = (page) =>
      queries.fetchQuery(read('GET /admin/v1/translations/missing', { kind, language, page, per_page: 100 }));
    const id = await gapAfter(kind === now.kind ? now.id : 0, readPage);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}
