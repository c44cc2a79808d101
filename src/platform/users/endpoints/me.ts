import type { z } from 'zod';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { addSeconds, toUtc } from '../../../lib/dates/dates.ts';
import { displayedAccountName } from '../../../lib/text/account-name.ts';
import { authMethodOf, sessionOfViewer } from '../sign-in/credentials.ts';
import { REAUTHENTICATION_LIFETIME, requireReauthentication } from '../sign-in/reauthentication.ts';
import { getOwnUser } from '../sign-in/rights.ts';
import { countRecoveryCodes, hasSecondFactor, needsSecondFactor } from '../sign-in/second-factor.ts';
import { accountOf } from '../store.ts';
import { reauthenticationFields } from './fields.ts';
import { alertsView, meSchema, reauthenticationSchema } from './view.ts';

/** Renders the account of the viewer, for `/me` and new sessions. */
export async function renderMe(ctx: RequestContext): Promise<z.output<typeof meSchema>> {
  const { context, viewer } = ctx;
  const user = await getOwnUser(ctx);
  const means = authMethodOf(viewer);
  const { mayRefund: _mayRefund, ...shown } = accountOf(user);
  return {
    ...shown,
    username: displayedAccountName(user.username),
    may_refund: user.may_refund === 1,
    language: user.language,
    ...alertsView(user),
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

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/me',
  name: 'me.read',
  summary: 'Read the authenticated account',
  description: 'With its rights.',
  input: {},
  responses: { 200: meSchema },
  errors: ['rest_forbidden'],
  isForSetUp: true,
  // Available to every account.
  statuses: { rest_forbidden: 401 },
  may: (viewer) => viewer.account !== undefined,
  handle: async (ctx) => ok(await renderMe(ctx)),
});

const confirm = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/me/confirmation',
  name: 'me.confirm',
  summary: 'Re-authenticate',
  description:
    'Confirms a session with the password or a code of the second factor. For ten minutes it may then perform actions that require ' +
    're-authentication: create tokens of the scope `admin`, administrators and credentials for them, and change its own ' +
    'password and address. Basic with the account password needs none; tokens and application passwords cannot re-authenticate.',
  input: reauthenticationFields,
  body: 'ConfirmationInput',
  responses: { 200: reauthenticationSchema },
  errors: ['rest_forbidden', 'confirmation-required'],
  isCredentialWrite: true,
  isRefusedInBatch: true,
  may: (viewer) => sessionOfViewer(viewer) !== undefined,
  async handle(ctx, proof) {
    if (proof.password === undefined && proof.code === undefined) throw new ApiError('confirmation-required');
    await requireReauthentication(ctx, proof);
    return ok({ confirmed_until_utc: addSeconds(toUtc(ctx.now), REAUTHENTICATION_LIFETIME) });
  },
});

export const meEndpoints: AnyEndpoint[] = [read, confirm];
