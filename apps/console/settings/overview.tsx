import { Link } from '@tanstack/react-router';
import { useRight } from '../frame/account.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { NoRight } from '../parts/states.tsx';
import { SCREENS } from './screens.ts';
import './settings.css';
import { t } from './texts.ts';

/** All settings, by what they are about. */
export function Screen() {
  const mayManage = useRight('manage_site');
  return (
    <Page title={t('title')}>
      {mayManage ? (
        <ul className="settings-index">
          {SCREENS.map(({ name, to, icon }) => (
            <li key={name}>
              <Link to={to}>
                <Icon name={icon} />
                <strong>{t(`screen.${name}`)}</strong>
                <span className="soft">{t(`about.${name}`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <NoRight />
      )}
    </Page>
  );
}
