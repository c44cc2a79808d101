import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { hasRight, useMe, useSignOut } from '../data/account.ts';
import { type Capability, SELLS } from '../data/rights.ts';
import { type CommonText, t } from '../i18n/texts.ts';
import { useGo } from '../shared/screen/screen.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Icon } from '../ui/icon.tsx';
import { type FoundGroup, useFoundRecords } from './palette-sources.ts';
import { useRailEntries } from './rail-links.tsx';
import { showShortcuts } from './shortcut-host.tsx';

interface Command {
  id: string;
  label: CommonText;
  icon: IconName;
  rights?: readonly Capability[];
  run: (acts: { go: (path: string) => void; signOut: () => void }) => void;
}

/** Commands of the palette. */
const COMMANDS: readonly Command[] = [
  {
    id: 'new-event',
    label: 'command.new_event',
    icon: 'plus',
    rights: ['edit'],
    run: ({ go }) => go('/events/new'),
  },
  {
    id: 'sell',
    label: 'command.sell',
    icon: 'orders',
    rights: SELLS,
    run: ({ go }) => go('/counter'),
  },
  { id: 'shortcuts', label: 'command.shortcuts', icon: 'help', run: showShortcuts },
  { id: 'sign-out', label: 'command.sign_out', icon: 'lock', run: ({ signOut }) => signOut() },
];

/** Screens and commands whose names contain the input. */
function useOwnGroups(typed: string): FoundGroup[] {
  const me = useMe();
  const { contains } = useFilter({ sensitivity: 'base' });
  const screens = useRailEntries().filter(({ label }) => contains(t(label), typed));
  const commands = COMMANDS.filter(({ rights = [], label }) => hasRight(me, ...rights) && contains(t(label), typed));
  const groups: FoundGroup[] = [
    {
      label: 'palette.screens',
      entries: screens.map(({ to, label, icon }) => ({ path: to, text: t(label), icon, detail: '' })),
    },
    {
      label: 'palette.commands',
      entries: commands.map(({ id, label, icon }) => ({ path: id, text: t(label), icon, detail: '' })),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** Finds screens, commands and records by their names. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const go = useGo();
  const signOut = useSignOut();
  const wanted = typed.trim();
  const own = useOwnGroups(wanted);
  const { groups: found, isSearching, hasFailed } = useFoundRecords(wanted);
  const groups = [...own, ...found];
  const choose = (key: string) => {
    onClose();
    const command = COMMANDS.find(({ id }) => id === key);
    if (command) command.run({ go, signOut });
    else go(key);
  };
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={onClose} className="overlay palette-overlay">
      <Modal className="modal palette">
        <Dialog aria-label={t('palette.title')} className="dialog">
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={t('palette.title')} autoFocus className="palette-field">
              <Icon name="search" />
              <Input placeholder={t('palette.placeholder')} />
            </SearchField>
            <Results groups={groups} isSearching={isSearching} onChoose={choose} />
          </Autocomplete>
          {hasFailed && <p className="palette-empty">{t('palette.failed')}</p>}
          <p role="status" className="visually-hidden">
            {isSearching ? t('palette.searching') : t('palette.count', { count })}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ResultsProps {
  groups: readonly FoundGroup[];
  isSearching: boolean;
  /** Gets a path, or the id of a command. */
  onChoose: (key: string) => void;
}

function Results({ groups, isSearching, onChoose }: ResultsProps) {
  return (
    <Menu
      className="menu palette-menu"
      aria-label={t('palette.results')}
      onAction={(key) => onChoose(String(key))}
      renderEmptyState={() => <p className="palette-empty">{t(isSearching ? 'palette.searching' : 'palette.empty')}</p>}
    >
      {groups.map(({ label, entries }) => (
        <MenuSection key={label} id={label}>
          <Header className="palette-group">{t(label)}</Header>
          {entries.map(({ path, text, icon, detail }) => (
            <MenuItem key={path} id={path} textValue={text} className="menu-item">
              <Icon name={icon} />
              <span>{text}</span>
              {detail && <small>{detail}</small>}
            </MenuItem>
          ))}
        </MenuSection>
      ))}
    </Menu>
  );
}
