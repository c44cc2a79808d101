import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useContentLanguage } from '../../data/content-language.ts';
import { loadTexts } from '../../i18n/texts.ts';
import { PageLoading } from './page.tsx';
import { NotFound, ScreenFailure } from './screen-failure.tsx';

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
