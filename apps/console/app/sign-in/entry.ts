import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('sign-in');

/** Sign-in link in the address that was opened. */
export interface SignInLink {
  /** `setup` for the first administrator. */
  kind: 'sign-in' | 'setup';
  token: string;
}

/** Removes the link from the address, so that neither the history nor a second window keeps it. */
function takeLink(): SignInLink | undefined {
  const [, kind, token] = /^#(sign-in|setup)=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (kind === undefined || token === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { kind: kind === 'setup' ? 'setup' : 'sign-in', token };
}

/** Link that the console was opened with, read before the router reads the address. */
export const openedLink: SignInLink | undefined = takeLink();
