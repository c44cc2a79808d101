import { useState } from 'react';
import { t } from '../i18n/texts.ts';
import { DialogBox } from '../ui/dialog-box.tsx';
import { Switch } from '../ui/fields.tsx';
import { areSingleKeysOn, setSingleKeys, shortcutList } from '../ui/shortcuts.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const shown = (key: string): string => key.replace('Mod+', isMac ? '⌘ ' : 'Ctrl ').replace('Enter', '↵');

/** List of the active shortcuts, with a switch for those of single letters. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  const change = (next: boolean) => {
    setSingleKeys(next);
    setOn(next);
  };
  return (
    <DialogBox title={t('shortcuts.title')} onClose={onClose}>
      <dl className="shortcuts">
        {shortcutList().map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{shown(key)}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <Switch isSelected={isOn} onChange={change}>
        {t('shortcuts.single')}
      </Switch>
    </DialogBox>
  );
}
