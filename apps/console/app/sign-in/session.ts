import type { SignInInput } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { enterAccount } from '../../data/account.ts';

/** Begins a session of this browser by name and password. */
export async function signIn(credentials: SignInInput): Promise<void> {
  enterAccount(await call('POST /admin/v1/session', credentials));
}

/** Begins a session by what stands behind the `#` of a link, which then is of no use any more. */
export async function signInByLink(token: string): Promise<void> {
  enterAccount(await call('POST /admin/v1/session/by-link', { token }));
}
