import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { MissingTexts } from '../../../../packages/client/src/marquee-client.ts';
import { useRight, useSite } from '../../data/account.ts';
import { useContentLanguage } from '../../data/content-language.ts';
import { read } from '../../data/queries.ts';
import { languageName, languageTitle } from '../../i18n/formats.ts';
import { Page } from '../../shared/screen/page.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { KINDS, type Kind } from './kinds.ts';
import { Progress } from './progress.tsx';
import { t } from './routes.ts';
import './translations.css';

const route = getRouteApi('/translations');

const PER_PAGE = 50;

type Row = MissingTexts['missing'][number];

const columns = (): DataColumn<Row>[] => [
  {
    id: 'title',
    label: t('record'),
    render: ({ title }) => <span className="row-title">{title || t('untitled')}</span>,
  },
];

/** Progress of the translations, and the records that lack texts. */
export function Screen() {
  const { kind = 'event', language: asked, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { languages } = useSite();
  const content = useContentLanguage();
  const [first, second = ''] = languages;
  const others = languages.filter((one) => one !== first);
  const language = others.find((one) => one === (asked ?? content)) ?? second;
  const show = (next: Shown) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  if (language === '')
    return (
      <Page title={t('title')}>
        <Empty icon="translate" text={t('one_language')} />
      </Page>
    );
  return (
    <Page title={t('title')}>
      <Progress languages={others} kind={kind} language={language} onChoose={show} />
      <Missing kind={kind} language={language} page={page} languages={others} onShow={show} />
    </Page>
  );
}

interface Shown {
  kind?: Kind;
  language?: string;
  page?: number;
}

interface MissingProps extends Required<Shown> {
  /** Languages of translations. */
  languages: readonly string[];
  onShow: (next: Shown) => void;
}

/** Records of a kind that lack texts in a language. */
function Missing({ kind, language, page, languages, onShow }: MissingProps) {
  const navigate = route.useNavigate();
  const isOfAll = useRight('edit_others');
  const input = { kind, language, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/translations/missing', input, { keepsPrevious: true }));
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">{t('missing', { language: languageName(language) })}</h2>
      <FilterBar>
        <SelectField
          label={t('kind')}
          value={kind}
          onChange={(next) => onShow({ kind: next })}
          choices={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        {languages.length > 1 && (
          <SelectField
            label={t('language')}
            value={language}
            onChange={(next) => onShow({ language: next })}
            choices={languages.map((value) => ({ value, label: languageTitle(value) }))}
          />
        )}
      </FilterBar>
      <PagedList
        query={list}
        empty={<Empty icon="check" text={t(isOfAll ? 'none_missing' : 'none_missing_own')} />}
        page={page}
        onPage={(next) => onShow({ page: next })}
      >
        {(data) => (
          <DataTable
            label={t('missing', { language: languageName(language) })}
            columns={columns()}
            rows={data.missing}
            onOpen={({ id }) =>
              void navigate({
                to: '/translations/$kind/$id',
                params: { kind, id: String(id) },
                search: { language },
              })
            }
          />
        )}
      </PagedList>
    </section>
  );
}
