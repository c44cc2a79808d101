import type { ReactNode } from 'react';
import type { IconName } from '../../client/icons.ts';
import { isProblem } from '../../client/problem.ts';
import { t } from '../i18n/texts.ts';
import { Button } from './button.tsx';
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

/** Where there is nothing: one sentence, and the act that changes it. */
export function Empty({ text, icon = 'search', children }: { text: ReactNode; icon?: IconName; children?: ReactNode }) {
  return (
    <State icon={icon} text={text}>
      {children}
    </State>
  );
}

/** For who may not see what is here. */
export function NoRight() {
  return <State icon="lock" text={t('no_right')} />;
}

/** Grey shapes in place of rows that are still loading; nothing for the first moment. */
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

/** What went wrong, why, and what to do. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (isProblem(error) && error.status === 403) return <NoRight />;
  // Trying again does not bring it back.
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

/** A sentence for people about an error: the server's own, in their language. */
export function describe(error: unknown): string {
  if (isProblem(error, 'offline')) return t('offline.text');
  if (isProblem(error, 'unexpected') || !isProblem(error)) return t('error.unexpected');
  if (error.status >= 500) return t('error.server');
  return error.message;
}

/** Says above the fields of a form why it could not be sent. */
export function FormProblem({ error }: { error: unknown }) {
  return (
    <p className="form-problem" role="alert">
      {describe(error)}
    </p>
  );
}
