import { call } from '../../client/call.ts';
import { describe } from '../ui/states.tsx';
import { toast } from '../ui/toast-store.ts';
import { forgetAccount } from './account.ts';

/** Ends the session of this browser and forgets what was read under it. */
export async function signOut(): Promise<void> {
  try {
    await call('DELETE /admin/v1/session');
    forgetAccount();
  } catch (error) {
    toast(describe(error), { tone: 'bad' });
  }
}
