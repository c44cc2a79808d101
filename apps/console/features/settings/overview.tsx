import { Link } from '@tanstack/react-router';
import { useRight } from '../../data/account.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NoRight } from '../../ui/states.tsx';
import { SCREENS } from './settings-page.tsx';
import './settings.css';
import { t } from './routes.ts';

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
