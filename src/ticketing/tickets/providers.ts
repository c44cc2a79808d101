import type { Provider } from '../../db/tables/ticketing.ts';

export const PROVIDERS = ['rsvp', 'tc'] as const satisfies readonly Provider[];

/** All names of providers that clients use. */
const NAMES: Readonly<Record<string, Provider>> = {
  rsvp: 'rsvp',
  tc: 'tc',
  'tickets-commerce': 'tc',
  'calendar-commerce': 'tc',
  'tribe-commerce': 'tc',
  tpp: 'tc',
  calendar__tickets__rsvp: 'rsvp',
  tribe__tickets__rsvp: 'rsvp',
  calendar__tickets__commerce__paypal__main: 'tc',
  tribe__tickets__commerce__paypal__main: 'tc',
  'tec\\tickets\\commerce\\module': 'tc',
};

/** The names of the providers in lists. */
export const PROVIDER_NAMES = ['rsvp', 'tickets-commerce'] as const;

/** The provider with a name, ignoring case; undefined for an unknown name. */
export function readProvider(name: string): Provider | undefined {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
}

/** The providers with some names; unknown names are ignored. */
export const readProviders = (names: readonly string[]): Provider[] => [
  ...new Set(names.flatMap((name) => readProvider(name) ?? [])),
];
