import type { IconName } from '../../client/icons.ts';
import type { Capability } from '../data/account.ts';
import { signOut } from '../data/sign-out.ts';
import type { FrameText } from '../i18n/common.ts';
import { showShortcuts } from './shortcut-host.tsx';

interface Command {
  id: string;
  label: FrameText;
  icon: IconName;
  rights?: readonly Capability[];
  run: (go: (path: string) => void) => void;
}

/** What the palette can do, besides going to screens and records. */
export const COMMANDS: readonly Command[] = [
  {
    ...{ id: 'new-event', label: 'command.new_event', icon: 'plus' },
    rights: ['edit'],
    run: (go) => go('/events/new'),
  },
  {
    ...{ id: 'sell', label: 'command.sell', icon: 'orders' },
    rights: ['manage_attendees'],
    run: (go) => go('/counter'),
  },
  { ...{ id: 'shortcuts', label: 'command.shortcuts', icon: 'help' }, run: showShortcuts },
  { ...{ id: 'sign-out', label: 'command.sign_out', icon: 'lock' }, run: () => void signOut() },
];
