import { createRootRoute, type ErrorComponentProps, Link, lazyRouteComponent, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useContentLanguage } from '../../data/content-language.ts';
import { t } from '../../i18n/texts.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { Page, PageLoading } from './page.tsx';

/** Parent of every route; the app gives it its component. */
export const rootRoute = createRootRoute({ errorComponent: ScreenFailure, notFoundComponent: NotFound });

/** Milliseconds until a screen that is loading shows its placeholder. */
const QUIET = 150;

/**
 * Options of a screen's route: its code is loaded when it is opened.
 * @param load imports the module that exports the screen
 * @param name name of the export
 */
export const screen = <N extends string = 'Screen'>(
  load: () => Promise<Record<NoInfer<N>, ComponentType>>,
  name: N = 'Screen' as N,
) => ({
  component: lazyRouteComponent(async () => ({ Screen: inContentLanguage((await load())[name]) }), 'Screen'),
  pendingComponent: PageLoading,
  pendingMs: QUIET,
  pendingMinMs: 0,
  errorComponent: ScreenFailure,
});

/** A screen that renders again when the content language changes, so that it reads in that language. */
function inContentLanguage(Screen: ComponentType): ComponentType {
  return function LocalizedScreen() {
    useContentLanguage();
    return <Screen />;
  };
}

/** Navigates to a path that is known only at run time, such as the target of a rail entry. */
export function useGo(): (path: string) => void {
  const router = useRouter();
  return (path) => void router.navigate({ href: router.history.createHref(`/console${path}`) });
}

/** Shown instead of a screen that could not be loaded. */
function ScreenFailure({ error, reset }: ErrorComponentProps) {
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

function NotFound() {
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

/**
 * Filters in addresses: `/console/events?search=jazz&page=2`. Each route names its own; unknown and invalid ones are
 * dropped.
 */
type Reader<T> = (text: string) => T | undefined;

export const text: Reader<string> = (value) => value || undefined;

export const whole: Reader<number> = (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined);

/** A day such as `2027-03-06`. */
export const day: Reader<string> = (value) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined);

export const oneOf =
  <T extends string>(...values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((one) => one === value);

type Filters<S extends Record<string, Reader<unknown>>> = { [K in keyof S]?: NonNullable<ReturnType<S[K]>> };

/** Reader of a screen's filters, for `validateSearch` of its route. */
export const filters =
  <S extends Record<string, Reader<unknown>>>(shape: S) =>
  (sent: Record<string, unknown>): Filters<S> => {
    const pairs = Object.entries(shape).map(([name, read]) => [name, read(String(sent[name] ?? ''))]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Filters<S>;
  };
