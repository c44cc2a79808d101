import { createRootRoute, type ErrorComponentProps, Link, lazyRouteComponent, useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useContentLanguage } from '../../data/content-language.ts';
import { loadTexts, t } from '../../i18n/texts.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { Page, PageLoading } from './page.tsx';

/** Parent of every route; the app gives it its component. */
export const rootRoute = createRootRoute({ errorComponent: ScreenFailure, notFoundComponent: NotFound });

/** Milliseconds before a screen that is still loading shows grey shapes; the next screen keeps them as briefly. */
const QUIET = 150;

/**
 * Options of a screen's route: its code and its texts are loaded when it is opened.
 * @param folder the folder of the screen, which has `locales/`
 * @param load imports the module that exports the screen as `Screen`
 */
export const screen = (folder: string, load: () => Promise<{ Screen: ComponentType }>) => ({
  component: lazyRouteComponent(async () => ({ Screen: inContentLanguage((await load()).Screen) }), 'Screen'),
  // Texts never change while the console is open.
  beforeLoad: () => loadTexts(folder),
  pendingComponent: PageLoading,
  pendingMs: QUIET,
  pendingMinMs: 0,
  errorComponent: ScreenFailure,
});

/** A screen that is rendered anew when another language of the content is chosen, so that it reads in that one. */
function inContentLanguage(Screen: ComponentType): ComponentType {
  return function LocalizedScreen() {
    useContentLanguage();
    return <Screen />;
  };
}

/** Goes to a path of the console that is known only at run time, such as that of a rail entry. */
export function useGo(): (path: string) => void {
  const router = useRouter();
  return (path) => void router.navigate({ href: router.history.createHref(`/console${path}`) });
}

/** In place of a screen that could not be loaded. */
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
 * Filters in addresses: `/console/events?search=jazz&page=2`. Each screen names its own, and what an address has besides
 * or has wrong is left out.
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

/** What reads the filters of a screen for `validateSearch` of its route. */
export const filters =
  <S extends Record<string, Reader<unknown>>>(shape: S) =>
  (sent: Record<string, unknown>): Filters<S> => {
    const pairs = Object.entries(shape).map(([name, read]) => [name, read(String(sent[name] ?? ''))]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Filters<S>;
  };
