import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRight } from '../../data/account.ts';
import { Page } from '../../shared/screen/page.tsx';
import { NoRight } from '../../ui/states.tsx';
import './settings.css';
import type { IconName } from '../../../client/icons.ts';
import { t } from './routes.ts';

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

interface SettingsPageProps {
  name: (typeof SCREENS)[number]['name'];
  children: ReactNode;
}

/** One screen of settings, with the ways to the others. Each of them is for who manages the site. */
export function SettingsPage({ name, children }: SettingsPageProps) {
  const mayManage = useRight('manage_site');
  if (!mayManage)
    return (
      <Page title={t(`screen.${name}`)}>
        <NoRight />
      </Page>
    );
  return (
    <Page
      title={t(`screen.${name}`)}
      note={
        <Link to="/settings" className="settings-all">
          {t('all')}
        </Link>
      }
    >
      <nav className="views settings-tabs" aria-label={t('title')}>
        {SCREENS.map((screen) => (
          <Link key={screen.name} to={screen.to}>
            {t(`screen.${screen.name}`)}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
