import { createRouter } from '@tanstack/react-router';
import { accountRoute } from '../features/account/routes.ts';
import { eventAnnouncementsRoute } from '../features/announcements/routes.ts';
import { attendeesRoute, eventAttendeesRoute, guestListRoute } from '../features/attendees/routes.ts';
import { counterRoute } from '../features/counter/routes.ts';
import { doorRoute, eventDoorRoute } from '../features/door/routes.ts';
import { calendarRoute, eventRoute, eventsRoute, newEventRoute } from '../features/events/routes.ts';
import { homeRoute } from '../features/home/routes.ts';
import { importRoute, importsRoute } from '../features/imports/routes.ts';
import { keysRoute } from '../features/keys/routes.ts';
import { linkedRoutes } from '../features/linked/routes.ts';
import { eventHistoryRoute, historyRoute, logRoute } from '../features/log/routes.ts';
import { eventMailsRoute, mailsRoute } from '../features/mails/routes.ts';
import { mediaRoute } from '../features/media/routes.ts';
import { eventOrdersRoute, findingsRoute, invoicesRoute, orderRoute, ordersRoute } from '../features/orders/routes.ts';
import { eventOverviewRoute } from '../features/overview/routes.ts';
import { compareRoute, reportsRoute } from '../features/reports/routes.ts';
import { setUpRoute } from '../features/set-up/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { categoriesRoute, tagsRoute } from '../features/terms/routes.ts';
import { eventCapacityRoute, eventTicketsRoute } from '../features/tickets/routes.ts';
import { eventTranslationsRoute, translationRoute, translationsRoute } from '../features/translations/routes.ts';
import { userRoute, usersRoute } from '../features/users/routes.ts';
import { rootRoute } from '../shared/screen/screen.tsx';
import { Gate } from './gate.tsx';

rootRoute.update({ component: Gate });

/** Every screen, by the route of its feature. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  calendarRoute,
  accountRoute,
  setUpRoute,
  eventsRoute,
  newEventRoute,
  eventRoute,
  eventOverviewRoute,
  eventAttendeesRoute,
  guestListRoute,
  eventOrdersRoute,
  eventAnnouncementsRoute,
  invoicesRoute,
  findingsRoute,
  eventTicketsRoute,
  eventCapacityRoute,
  attendeesRoute,
  ordersRoute,
  mailsRoute,
  eventMailsRoute,
  orderRoute,
  counterRoute,
  doorRoute,
  eventDoorRoute,
  reportsRoute,
  compareRoute,
  importsRoute,
  importRoute,
  mediaRoute,
  translationsRoute,
  translationRoute,
  eventTranslationsRoute,
  ...linkedRoutes,
  categoriesRoute,
  tagsRoute,
  usersRoute,
  userRoute,
  keysRoute,
  ...settingsRoutes,
  logRoute,
  eventHistoryRoute,
  historyRoute,
]);

/** Filters are plain texts in the query; each route declares its own. */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch(filters) {
    const pairs = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
    const query = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return query && `?${query}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
