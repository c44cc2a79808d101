import { forgetAccount } from './account.ts';

/** Ends the session of this browser and forgets what was read under it. */
export async function signOut(): Promise<void> {
  forgetAccount();
}
