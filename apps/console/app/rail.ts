import type { LinkProps } from '@tanstack/react-router';
import { type Capability, MANAGES_ATTENDEES, READS_ATTENDEES, READS_ORDERS, SELLS } from '../data/rights.ts';
import type { CommonText } from '../i18n/texts.ts';
import type { IconName } from '../ui/icon.tsx';

export interface RailEntry {
  to: NonNullable<LinkProps['to']>;
  label: CommonText;
  icon: IconName;
  /** Rights, one of which is needed; undefined for all users. */
  rights?: readonly Capability[];
  /** Whether it is shown only on sites with several languages. */
  isForSeveralLanguages?: boolean;
  /** Key after `g` that opens the screen. */
  key?: string;
  /** Place among the three tabs on phones; others are below "More". */
  tab?: number;
}

/** Entries of the rail, in order. */
export const RAIL: readonly RailEntry[] = [
  { to: '/', label: 'rail.home', icon: 'home', key: 'h', tab: 1 },
  { to: '/events', label: 'rail.events', icon: 'events', key: 'e', tab: 2 },
  { to: '/calendar', label: 'rail.calendar', icon: 'calendar', key: 'c' },
  { to: '/attendees', label: 'rail.attendees', icon: 'people', rights: READS_ATTENDEES, key: 'a', tab: 4 },
  { to: '/door', label: 'rail.door', icon: 'check', rights: MANAGES_ATTENDEES, key: 'd' },
  { to: '/orders', label: 'rail.orders', icon: 'orders', rights: READS_ORDERS, key: 'o', tab: 3 },
  { to: '/mails', label: 'rail.mails', icon: 'mail', rights: MANAGES_ATTENDEES, key: 'p' },
  { to: '/counter', label: 'rail.counter', icon: 'ticket', rights: SELLS, key: 'b' },
  {
    to: '/reports',
    label: 'rail.reports',
    icon: 'report',
    key: 'r',
    rights: ['read_own', 'read_attendees'],
  },
  { to: '/venues', label: 'rail.venues', icon: 'venue', rights: ['edit'], key: 'v' },
  { to: '/organizers', label: 'rail.organizers', icon: 'person', rights: ['edit'], key: 'n' },
  { to: '/categories', label: 'rail.categories', icon: 'category', rights: ['manage_categories'], key: 'g' },
  { to: '/tags', label: 'rail.tags', icon: 'tag', rights: ['manage_tags'], key: 't' },
  { to: '/media', label: 'rail.media', icon: 'media', rights: ['upload'], key: 'm' },
  {
    to: '/translations',
    label: 'rail.translations',
    icon: 'translate',
    key: 'i',
    rights: ['edit'],
    isForSeveralLanguages: true,
  },
  { to: '/users', label: 'rail.users', icon: 'accounts', rights: ['manage_users'], key: 'u' },
  { to: '/keys', label: 'rail.keys', icon: 'key', rights: ['manage_users'], key: 'k' },
  { to: '/imports', label: 'rail.imports', icon: 'download', rights: ['manage_site'], key: 'f' },
  { to: '/settings', label: 'rail.settings', icon: 'settings', rights: ['manage_site'], key: 's' },
  { to: '/log', label: 'rail.log', icon: 'log', rights: ['manage_site'], key: 'l' },
];

const MOST_TABS = 3;

/** The account's most important entries, in rail order, as tabs on phones. */
export function tabsOf(entries: readonly RailEntry[]): RailEntry[] {
  const last = Number.MAX_SAFE_INTEGER;
  const wanted = entries.filter(({ tab }) => tab !== undefined);
  const chosen = wanted.toSorted((one, other) => (one.tab ?? last) - (other.tab ?? last)).slice(0, MOST_TABS);
  return entries.filter((entry) => chosen.includes(entry));
}
