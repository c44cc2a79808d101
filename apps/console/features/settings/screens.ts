import type { IconName } from '../../../client/icons.ts';

interface SettingsScreen {
  /** Last part of its address, and of the keys of its texts. */
  name: 'site' | 'look' | 'calendar' | 'sale' | 'sign-in' | 'languages' | 'embeds' | 'system';
  to: `/settings/${SettingsScreen['name']}`;
  icon: IconName;
}

/** The screens of settings, in their order. */
export const SCREENS: readonly SettingsScreen[] = [
  { name: 'site', to: '/settings/site', icon: 'home' },
  { name: 'look', to: '/settings/look', icon: 'palette' },
  { name: 'calendar', to: '/settings/calendar', icon: 'calendar' },
  { name: 'sale', to: '/settings/sale', icon: 'ticket' },
  { name: 'sign-in', to: '/settings/sign-in', icon: 'lock' },
  { name: 'languages', to: '/settings/languages', icon: 'translate' },
  { name: 'embeds', to: '/settings/embeds', icon: 'code' },
  { name: 'system', to: '/settings/system', icon: 'system' },
];
