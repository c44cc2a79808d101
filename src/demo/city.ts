import categories from './data/categories.json' with { type: 'json' };
import cityEvents from './data/city-events.json' with { type: 'json' };
import festivals from './data/festivals.json' with { type: 'json' };
import names from './data/names.json' with { type: 'json' };
import organizers from './data/organizers.json' with { type: 'json' };
import performances from './data/performances.json' with { type: 'json' };
import posters from './data/posters.json' with { type: 'json' };
import regionalEvents from './data/regional-events.json' with { type: 'json' };
import series from './data/series.json' with { type: 'json' };
import site from './data/site.json' with { type: 'json' };
import tags from './data/tags.json' with { type: 'json' };
import tickets from './data/tickets.json' with { type: 'json' };
import venues from './data/venues.json' with { type: 'json' };
import weekly from './data/weekly.json' with { type: 'json' };
import { DATA_SCHEMAS } from './schemas.ts';

/** The fictional city: the validated files of `data/`. */

/** Time zone of the city; regional events have their own. */
export const CITY_ZONE = 'America/Moncton';

export const CATEGORIES = DATA_SCHEMAS.categories.parse(categories);
export const TAGS = DATA_SCHEMAS.tags.parse(tags);
export const VENUES = DATA_SCHEMAS.venues.parse(venues);
export const ORGANIZERS = DATA_SCHEMAS.organizers.parse(organizers);
export const POSTERS = DATA_SCHEMAS.posters.parse(posters);
export const SERIES = DATA_SCHEMAS.series.parse(series);
export const WEEKLY = DATA_SCHEMAS.weekly.parse(weekly);
export const ORIGINS = DATA_SCHEMAS.names.parse(names);

export const SINGLE_EVENTS = [
  ...DATA_SCHEMAS.festivals.parse(festivals),
  ...DATA_SCHEMAS.performances.parse(performances),
  ...DATA_SCHEMAS['city-events'].parse(cityEvents),
  ...DATA_SCHEMAS['regional-events'].parse(regionalEvents),
];

/** The settings of the city's site. */
export const SITE = DATA_SCHEMAS.site.parse(site);

export const TICKETS = DATA_SCHEMAS.tickets.parse(tickets);
