import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../../client/icons.ts';
import type { Capability } from '../data/account.ts';
import type { FrameText } from '../i18n/texts.ts';

export interface RailEntry {
  to: NonNullable<LinkProps['to']>;
  label: FrameText;
  icon: IconName;
  /** Shown to who has one of these rights; to everybody without them. */
  rights?: readonly Capability[];
  /** Whether it is shown on sites with several languages only. */
  isForSeveralLanguages?: boolean;
  /** After `g`, the key that goes there. */
  key?: string;
  /** Whether it is one of the tabs of a phone; the others are below "More". */
  isTab?: boolean;
}

/** The screens in the rail, in its order. A screen that does not exist has no entry. */
export const RAIL: readonly RailEntry[] = [
  { to: '/', label: 'rail.home', icon: 'home', key: 'h', isTab: true },
  { to: '/events', label: 'rail.events', icon: 'events', key: 'e', isTab: true },
  { to: '/calendar', label: 'rail.calendar', icon: 'calendar', key: 'c' },
  { to: '/attendees', label: 'rail.attendees', icon: 'people', rights: ['read_attendees'], key: 'a' },
  { to: '/orders', label: 'rail.orders', icon: 'orders', rights: ['manage_attendees'], key: 'o', isTab: true },
  {
    ...{ to: '/reports', label: 'rail.reports', icon: 'report', key: 'r' },
    rights: ['manage_attendees', 'read_own', 'read_attendees'],
  },
  { to: '/venues', label: 'rail.venues', icon: 'venue', rights: ['edit'], key: 'v' },
  { to: '/organizers', label: 'rail.organizers', icon: 'person', rights: ['edit'], key: 'n' },
  { to: '/categories', label: 'rail.categories', icon: 'category', rights: ['manage_categories'], key: 'g' },
  { to: '/tags', label: 'rail.tags', icon: 'tag', rights: ['manage_tags'], key: 't' },
  { to: '/media', label: 'rail.media', icon: 'media', rights: ['upload'], key: 'm' },
  {
    ...{ to: '/translations', label: 'rail.translations', icon: 'translate', key: 'i' },
    ...{ rights: ['edit'], isForSeveralLanguages: true },
  },
  { to: '/users', label: 'rail.users', icon: 'accounts', rights: ['manage_users'], key: 'u' },
  { to: '/keys', label: 'rail.keys', icon: 'key', rights: ['manage_users'], key: 'k' },
  { to: '/settings', label: 'rail.settings', icon: 'settings', rights: ['manage_site'], key: 's' },
  { to: '/log', label: 'rail.log', icon: 'log', rights: ['manage_site'], key: 'l' },
];
