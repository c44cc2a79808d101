import type { ReactNode } from 'react';
import { fieldProblems, isProblem } from '../../client/problem.ts';
import { t } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface StateProps {
  icon: IconName;
  text: ReactNode;
  children?: ReactNode;
}

function State({ icon, text, children }: StateProps) {
  return (
    <div className="state">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Empty state: one sentence, and the action that changes it. */
export function Empty({ text, icon = 'search', children }: { text: ReactNode; icon?: IconName; children?: ReactNode }) {
  return (
    <State icon={icon} text={text}>
      {children}
    </State>
  );
}

/** Empty state of a list whose filters match nothing. */
export function NothingFound({ text, icon, onClear }: { text: ReactNode; icon: IconName; onClear: () => void }) {
  return (
    <State icon={icon} text={text}>
      <Button onPress={onClear}>{t('filters.clear')}</Button>
    </State>
  );
}

/** Shown to users without access. */
export function NoRight() {
  return <State icon="lock" text={t('no_right')} />;
}

/** Placeholder for rows that are loading; invisible at first. */
export function RowsLoading({ rows = 6 }: { rows?: number }) {
  return (
    <div className="rows-loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className="shape" />
      ))}
    </div>
  );
}

/** Error state, with a button to retry if that may help. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isProblem(error) && error.status === 403) return <NoRight />;
  // Trying again would not help.
  if (isProblem(error) && error.status === 404) return <Empty text={t('not_found.text')} />;
  const isOffline = isProblem(error, 'offline');
  return (
    <div className="state" role="alert">
      <Icon name={isOffline ? 'offline' : 'warning'} />
      <p>{describe(error)}</p>
      {isProblem(error) && error.requestId && (
        <p className="state-detail">{t('error.request', { id: error.requestId })}</p>
      )}
      {onRetry && (
        <Button icon="undo" onPress={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}

/** Message about an error; the server's own where it has one, in the language of the console. */
export function describe(error: unknown): string {
  if (isProblem(error, 'offline')) return t('offline.text');
  if (isProblem(error, 'unexpected') || !isProblem(error)) return t('error.unexpected');
  if (error.status >= 500) return t('error.server');
  return error.message;
}

interface FormProblemProps {
  /** Why a form could not be sent; undefined if it could. */
  error: unknown;
  /** Names of the fields that show their own problem; by default any field does. */
  fields?: readonly string[];
}

/** Says why a form could not be sent, unless one of its fields says so. */
export function FormProblem({ error, fields }: FormProblemProps) {
  if (error === undefined) return null;
  const problems = fieldProblems(error);
  const isShown = fields ? fields.some((name) => problems[name]) : Object.keys(problems).length > 0;
  if (isShown) return null;
  const other = fields && fields.length > 0 ? Object.values(problems)[0] : undefined;
  return (
    <p className="form-problem" role="alert">
      {other ?? describe(error)}
    </p>
  );
}

interface LoadedProps<D> {
  query: { data: D | undefined; error: unknown; refetch: () => unknown };
  /** Rows of the placeholder. */
  rows?: number;
  children: (data: D) => ReactNode;
}

/** Data of a query, a placeholder while they load, or the error. */
export function Loaded<D>({ query: { data, error, refetch }, rows, children }: LoadedProps<D>) {
  const hasFailed = error !== null && error !== undefined;
  return (
    <>
      {hasFailed && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && !hasFailed && <RowsLoading {...(rows !== undefined && { rows })} />}
      {data !== undefined && children(data)}
    </>
  );
}

export interface LoadedListProps<D> extends LoadedProps<D> {
  /** In place of a list without entries. */
  empty?: ReactNode;
}

/** List of a query, as `Loaded` shows it. */
export function LoadedList<D extends { total: number }>({ empty, children, ...props }: LoadedListProps<D>) {
  return <Loaded {...props}>{(data) => (data.total === 0 ? empty : children(data))}</Loaded>;
}
