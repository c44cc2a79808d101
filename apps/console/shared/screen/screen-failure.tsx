import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { t } from '../../i18n/common.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { Page } from './page.tsx';

/** In place of a screen that could not be loaded. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title={t('error.title')}>
      <Failure error={error} onRetry={retry} />
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title={t('not_found.title')}>
      <Empty text={t('not_found.text')}>
        <Link to="/" className="button">
          {t('not_found.home')}
        </Link>
      </Empty>
    </Page>
  );
}
