import type { z } from 'zod';
import { sessionCookie } from '../../http/cookies.ts';
import { type AnyEndpoint, endpoint, type HandlerContext, ok, type RequestContext } from '../../http/endpoint.ts';
import { shownAccountName } from '../../lib/account-name.ts';
import { meansOf, sessionOfViewer } from './credentials.ts';
import { getOwnUser } from './rights.ts';
import { countRecoveryCodes, hasSecondFactor, needsSecondFactor } from './second-factor.ts';
import { accountOf } from './store.ts';
import { meSchema } from './view.ts';

/** The account of the caller, as `/me` and new sessions show it. */
export async function renderMe(ctx: RequestContext): Promise<z.output<typeof meSchema>> {
  const { context, viewer } = ctx;
  const user = await getOwnUser(ctx);
  const means = meansOf(viewer);
  return {
    ...accountOf(user),
    username: shownAccountName(user.username),
    capabilities: [...viewer.capabilities],
    ...(means?.kind === 'token' && { scopes: means.scopes }),
    second_factor: {
      is_enabled: hasSecondFactor(user),
      is_required: needsSecondFactor(user),
      recovery_codes: await countRecoveryCodes(context.db, user.id),
    },
    ...(means?.kind === 'session' && { may_set_password: means.maySetPassword }),
  };
}

/** The cookie of the session that a request counts for lasts on from now. */
function renewedCookie({ viewer, cookie, urls }: HandlerContext): Record<string, string> {
  const token = sessionOfViewer(viewer) && cookie('marquee-session');
  return token === undefined ? {} : { 'Set-Cookie': sessionCookie(token, urls), 'Cache-Control': 'no-store' };
}

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/me',
  name: 'me.read',
  summary: 'Read the authenticated account',
  description: 'With its rights. Renews the cookie of a session.',
  input: {},
  answers: { 200: meSchema },
  errors: ['rest_forbidden'],
  isForSetUp: true,
  // Every account may.
  statuses: { rest_forbidden: 401 },
  may: (viewer) => viewer.account !== undefined,
  handle: async (ctx) => ok(await renderMe(ctx), renewedCookie(ctx)),
});

export const meEndpoints: AnyEndpoint[] = [read];
