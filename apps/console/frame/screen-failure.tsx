import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { t } from './texts.ts';

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
