import type { Operation } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { meQuery } from '../frame/account.ts';
import { queries } from '../frame/queries.ts';

interface Credentials {
  name: string;
  password: string;
  code?: string;
}

/** Begins a session of this browser. */
export async function signIn(credentials: Credentials): Promise<void> {
  await call('POST /admin/v1/session' as Operation, credentials as never);
  await queries.fetchQuery({ ...meQuery, staleTime: 0 });
}
