import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRight } from '../../data/account.ts';
import { Page } from '../../shared/screen/page.tsx';
import { NoRight } from '../../ui/states.tsx';
import { SCREENS } from './screens.ts';
import './settings.css';
import { t } from './routes.ts';

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
