import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Site } from '../../../../packages/client/src/marquee-client.ts';
import type { Fields } from '../../../client/merge.ts';
import { useRight } from '../../data/account.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, type RecordKind, useRecord } from '../../shared/record/use-record.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Failure, NoRight, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';
import { SITE } from './site-kinds.ts';
import './settings.css';

interface SettingsScreen {
  /** Last segment of the address, and of the keys of its texts. */
  name:
    | 'site'
    | 'look'
    | 'calendar'
    | 'sale'
    | 'prices'
    | 'sign-in'
    | 'languages'
    | 'embeds'
    | 'mails'
    | 'jobs'
    | 'system';
  to: `/settings/${SettingsScreen['name']}`;
  icon: IconName;
}

/** Screens of settings, in order. */
export const SCREENS: readonly SettingsScreen[] = [
  { name: 'site', to: '/settings/site', icon: 'home' },
  { name: 'look', to: '/settings/look', icon: 'palette' },
  { name: 'calendar', to: '/settings/calendar', icon: 'calendar' },
  { name: 'sale', to: '/settings/sale', icon: 'ticket' },
  { name: 'prices', to: '/settings/prices', icon: 'category' },
  { name: 'sign-in', to: '/settings/sign-in', icon: 'lock' },
  { name: 'languages', to: '/settings/languages', icon: 'translate' },
  { name: 'embeds', to: '/settings/embeds', icon: 'code' },
  { name: 'mails', to: '/settings/mails', icon: 'edit' },
  { name: 'jobs', to: '/settings/jobs', icon: 'bullets' },
  { name: 'system', to: '/settings/system', icon: 'system' },
];

interface SettingsPageProps {
  name: (typeof SCREENS)[number]['name'];
  children: ReactNode;
}

/** A screen of settings with links to the others, for users who manage the site. */
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

/** Overview of the settings. */
export function SettingsOverview() {
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

export type EditedSite<F> = EditedRecord<Site, F>;

interface SiteFormProps<F extends Fields> {
  kind: RecordKind<Site, F>;
  labelOf: (name: string) => string;
  /** Readable value of a field in a conflict; needed for fields that are not texts. */
  show?: (name: string, value: unknown) => string;
  children: (edited: EditedSite<F>) => ReactNode;
}

/** Form of some settings of the site. */
export function SiteForm<F extends Fields>({ kind, labelOf, show, children }: SiteFormProps<F>) {
  const { data, error, retry } = useRecord(kind, SITE);
  if (error) return <Failure error={error} onRetry={retry} />;
  if (!data) return <RowsLoading rows={4} />;
  return (
    <>
      {children(data)}
      <UnsavedBar edited={data} />
      <ConflictDialog edited={data} labelOf={labelOf} {...(show && { show })} />
    </>
  );
}

/** Member of an object setting as a field; shows the problem of the object if the member has changed. */
export function partOf<F extends Fields, K extends keyof F & string>(edited: EditedSite<F>, name: K, whole: string) {
  const problem = edited.changed.includes(name) ? edited.problem?.fields[whole] : undefined;
  return { ...edited.field(name), problem };
}
