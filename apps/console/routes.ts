import { createRouter } from '@tanstack/react-router';
import { accountRoute } from './account/route.ts';
import { attendeesRoute, eventAttendeesRoute } from './attendees/routes.ts';
import { counterRoute } from './counter/route.ts';
import { calendarRoute, eventRoute, eventsRoute, newEventRoute } from './events/routes.ts';
import { rootRoute } from './frame/root-route.tsx';
import { homeRoute } from './home/route.ts';
import { keysRoute } from './keys/route.ts';
import { organizerRoute, organizersRoute, venueRoute, venuesRoute } from './linked/routes.ts';
import { eventHistoryRoute, historyRoute, logRoute } from './log/routes.ts';
import { mediaRoute } from './media/route.ts';
import { orderRoute, ordersRoute } from './orders/routes.ts';
import { reportsRoute } from './reports/route.ts';
import { setUpRoute } from './set-up/route.ts';
import { settingsRoutes } from './settings/routes.ts';
import { categoriesRoute, tagsRoute } from './terms/routes.ts';
import { eventCapacityRoute, eventTicketsRoute } from './tickets/routes.ts';
import { eventTranslationsRoute, translationRoute, translationsRoute } from './translations/routes.ts';
import { userRoute, usersRoute } from './users/routes.ts';

/** Every screen, by the route of its folder. */
const routeTree = rootRoute.addChildren([
  ...[homeRoute, calendarRoute, accountRoute, setUpRoute],
  ...[eventsRoute, newEventRoute, eventRoute, eventAttendeesRoute, eventTicketsRoute, eventCapacityRoute],
  ...[attendeesRoute, ordersRoute, orderRoute, counterRoute, reportsRoute, mediaRoute],
  ...[translationsRoute, translationRoute, eventTranslationsRoute],
  ...[venuesRoute, venueRoute, organizersRoute, organizerRoute, categoriesRoute, tagsRoute],
  ...[usersRoute, userRoute, keysRoute, ...settingsRoutes],
  ...[logRoute, eventHistoryRoute, historyRoute],
]);

/** Filters are plain texts in the query; each route says which ones it has. */
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
