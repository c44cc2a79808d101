import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { Icon } from '../parts/icon.tsx';
import { hasRight, useMe } from './account.ts';
import { type FoundEntry, useFound } from './palette-sources.ts';
import { RAIL } from './rail.ts';
import { t } from './texts.ts';
import { useGo } from './use-go.ts';

/** Finds screens and records while one types. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const me = useMe();
  const go = useGo();
  const { contains } = useFilter({ sensitivity: 'base' });
  const found = useFound(typed.trim());
  const screens = RAIL.filter(({ rights = [], label }) => hasRight(me, ...rights) && contains(t(label), typed));
  const entries: FoundEntry[] = [
    ...screens.map(({ to, label, icon }) => ({ path: to, text: t(label), icon, detail: t('palette.screen') })),
    ...found,
  ];
  const choose = (path: string) => {
    onClose();
    go(path);
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={onClose} className="overlay palette-overlay">
      <Modal className="modal palette">
        <Dialog aria-label={t('palette.title')} className="dialog">
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={t('palette.title')} autoFocus className="palette-field">
              <Icon name="search" />
              <Input placeholder={t('palette.placeholder')} />
            </SearchField>
            <Menu
              className="menu palette-menu"
              aria-label={t('palette.results')}
              items={entries}
              onAction={(path) => choose(String(path))}
              renderEmptyState={() => <p className="palette-empty">{t('palette.empty')}</p>}
            >
              {({ path, text, icon, detail }) => (
                <MenuItem id={path} textValue={text} className="menu-item">
                  <Icon name={icon} />
                  <span>{text}</span>
                  <small>{detail}</small>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
