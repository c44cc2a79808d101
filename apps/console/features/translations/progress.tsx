import { useQuery } from '@tanstack/react-query';
import { read } from '../../data/queries.ts';
import { languageTitle } from '../../i18n/formats.ts';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { KINDS, type Kind } from './kinds.ts';
import { t } from './routes.ts';

interface ProgressProps {
  /** All languages but the first. */
  languages: readonly string[];
  kind: Kind;
  language: string;
  onChoose: (chosen: { kind: Kind; language: string }) => void;
}

/** Number of translated records by kind and language. */
export function Progress({ languages, kind: chosenKind, language: chosenLanguage, onChoose }: ProgressProps) {
  const { data, error, refetch } = useQuery(read('GET /admin/v1/translations/progress'));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsLoading rows={3} />;
  const kinds = KINDS.filter((kind) => (data.progress[kind]?.total ?? 0) > 0);
  if (kinds.length === 0) return null;
  return (
    <div className="translations-scroll">
      <table className="translations-progress">
        <caption className="visually-hidden">{t('progress')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('kind')}</th>
            {languages.map((language) => (
              <th key={language} scope="col">
                {languageTitle(language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{t(`kind.${kind}`)}</th>
              {languages.map((language) => {
                const { total = 0, translated = {} } = data.progress[kind] ?? {};
                const done = translated[language] ?? 0;
                const label = t('progress.of', { done, total });
                return (
                  <td key={language}>
                    <button
                      type="button"
                      aria-pressed={kind === chosenKind && language === chosenLanguage}
                      onClick={() => onChoose({ kind, language })}
                    >
                      <progress value={done} max={total} aria-label={label} />
                      <span>{label}</span>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
