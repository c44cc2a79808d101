import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('sign-in');

/** A link that signs in, from the address that was opened. */
export interface SignInLink {
  /** `setup` for the first administrator. */
  kind: 'sign-in' | 'setup';
  token: string;
}

/** Takes the link out of the address, so that neither the history nor a second window has it. */
function takeLink(): SignInLink | undefined {
  const [, kind, token] = /^#(sign-in|setup)=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (kind === undefined || token === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  return { kind: kind === 'setup' ? 'setup' : 'sign-in', token };
}

/** The link that the console was opened with. Read before the router takes the address. */
export const openedLink: SignInLink | undefined = takeLink();
