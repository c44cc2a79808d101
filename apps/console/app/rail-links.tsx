import { Link, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { hasRight, useMe, useSite } from '../data/account.ts';
import { t } from '../i18n/texts.ts';
import { useGo } from '../shared/screen/screen.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { RAIL, type RailEntry, tabsOf } from './rail.ts';

/** Entries of the rail for the account and the site. */
export function useRailEntries(): RailEntry[] {
  const me = useMe();
  const { languages } = useSite();
  return RAIL.filter(
    ({ rights = [], isForSeveralLanguages }) =>
      hasRight(me, ...rights) && (!isForSeveralLanguages || languages.length > 1),
  );
}

const NARROW = 'marquee-console-narrow-rail';

/** Navigation on wide screens, which can be narrowed to its icons. */
export function Rail() {
  const entries = useRailEntries();
  const { name } = useSite();
  const [isNarrow, setNarrow] = useState(() => localStorage.getItem(NARROW) !== null);
  const toggle = () => {
    if (isNarrow) localStorage.removeItem(NARROW);
    else localStorage.setItem(NARROW, '1');
    setNarrow(!isNarrow);
  };
  return (
    <nav className={isNarrow ? 'rail narrow' : 'rail'} aria-label={t('rail.label')}>
      <Link to="/" className="brand" aria-label={t('rail.home_of', { site: name })}>
        <span aria-hidden="true">{isNarrow ? name.slice(0, 1) : name}</span>
      </Link>
      <ul>
        {entries.map((entry) => (
          <li key={entry.to}>
            <RailLink entry={entry} />
          </li>
        ))}
      </ul>
      <IconButton
        icon={isNarrow ? 'right' : 'left'}
        label={t(isNarrow ? 'rail.widen' : 'rail.narrow')}
        onPress={toggle}
      />
    </nav>
  );
}

function RailLink({ entry: { to, label, icon } }: { entry: RailEntry }) {
  return (
    <Link to={to} title={t(label)} activeOptions={{ exact: to === '/' }} className="rail-link">
      <Icon name={icon} />
      <span>{t(label)}</span>
    </Link>
  );
}

/** Navigation on phones: the most important screens, and a menu of the others. */
export function Tabs() {
  const entries = useRailEntries();
  const tabs = tabsOf(entries);
  const rest = entries.filter((entry) => !tabs.includes(entry));
  return (
    <nav className="tabs" aria-label={t('rail.label')}>
      {tabs.map((entry) => (
        <RailLink key={entry.to} entry={entry} />
      ))}
      {rest.length > 0 && <More entries={rest} />}
    </nav>
  );
}

function More({ entries }: { entries: readonly RailEntry[] }) {
  const go = useGo();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isHere = entries.some(({ to }) => path.startsWith(to));
  return (
    <MenuTrigger>
      <AriaButton className={isHere ? 'rail-link active' : 'rail-link'}>
        <Icon name="more" />
        <span>{t('rail.more')}</span>
      </AriaButton>
      <Popover className="popover" placement="top end">
        <Menu className="menu" aria-label={t('rail.more')} onAction={(to) => go(String(to))}>
          {entries.map(({ to, label, icon }) => (
            <MenuItem key={to} id={to} textValue={t(label)} className="menu-item">
              <Icon name={icon} />
              <span>{t(label)}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
