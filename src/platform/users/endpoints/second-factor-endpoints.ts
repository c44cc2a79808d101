import type { Viewer } from '../../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { base32, totpUri } from '../../../lib/totp.ts';
import { sessionOfViewer } from '../sign-in/credentials.ts';
import { requireReauthentication } from '../sign-in/reauthentication.ts';
import { getOwnUser } from '../sign-in/rights.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  needsSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../sign-in/second-factor.ts';
import { reauthenticationFields, signInFields } from './fields.ts';
import { renderMe } from './me.ts';
import { meSchema, newSecondFactorSchema, recoveryCodesSchema } from './view.ts';

const path = '/me/second-factor';
const SECRET = { 'Cache-Control': 'no-store' };

/** Accounts of viewers with a session. */
const own = {
  isForSetUp: true,
  isCredentialWrite: true,
  isRefusedInBatch: true,
  may: (viewer: Viewer) => sessionOfViewer(viewer) !== undefined,
  find: (_input: unknown, ctx: RequestContext) => getOwnUser(ctx),
};

const begin = endpoint({
  ...own,
  namespace: 'admin',
  methods: ['POST'],
  path,
  name: 'second_factor.create',
  summary: 'Begin to set up a second factor',
  description:
    'Confirmed by password: codes of the factor confirm the account from then on. A session that may set a password ' +
    'without the present one needs no confirmation, nor does an account whose role needs a second factor. The secret is ' +
    'shown in this response only. It counts once a code of it confirms it.',
  input: { password: reauthenticationFields.password },
  body: 'SecondFactorInput',
  responses: { 201: newSecondFactorSchema },
  shownOnce: ['secret', 'uri'],
  errors: ['rest_forbidden', 'second-factor-exists', 'confirmation-required'],
  async handle(ctx, proof, user) {
    const { context, urls, viewer } = ctx;
    if (hasSecondFactor(user)) throw new ApiError('second-factor-exists');
    if (!needsSecondFactor(user) && !sessionOfViewer(viewer)?.maySetPassword) await requireReauthentication(ctx, proof);
    const issuer = context.config.siteName ?? new URL(urls.origin).host;
    const secret = await beginSecondFactor(context, user.id);
    const uri = totpUri(secret, { account: user.username, issuer });
    return created({ secret: base32(secret), uri }, SECRET);
  },
});

const confirm = endpoint({
  ...own,
  namespace: 'admin',
  methods: ['POST'],
  path: `${path}/confirm`,
  name: 'second_factor.confirm',
  summary: 'Confirm a second factor',
  description:
    'From then on, signing in requires a code, too, and programs need an application password or a token. Other sessions ' +
    'of the account end. The recovery codes are shown in this response only.',
  input: { code: signInFields.code },
  required: ['code'],
  body: 'SecondFactorCode',
  responses: { 200: recoveryCodesSchema },
  shownOnce: ['recovery_codes'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'second-factor-exists'],
  async handle({ context, viewer, actor }, { code }, user) {
    const confirmation = { userId: user.id, code, session: sessionOfViewer(viewer)?.id, actor };
    const recovery_codes = await confirmSecondFactor(context, confirmation);
    if (!recovery_codes) throw invalidParam('code', 'param.code');
    return ok({ recovery_codes }, SECRET);
  },
});

const remove = endpoint({
  ...own,
  namespace: 'admin',
  methods: ['DELETE'],
  path,
  name: 'second_factor.remove',
  summary: 'Remove the second factor',
  description: 'Requires the password or a code. Other sessions of the account end.',
  input: reauthenticationFields,
  body: 'ConfirmationInput',
  responses: { 200: meSchema },
  errors: ['rest_forbidden', 'confirmation-required'],
  async handle(ctx, proof, user) {
    await requireReauthentication(ctx, proof);
    await removeSecondFactor(ctx.context, {
      userId: user.id,
      session: sessionOfViewer(ctx.viewer)?.id,
      actor: ctx.actor,
    });
    return ok(await renderMe(ctx));
  },
});

const renew = endpoint({
  ...own,
  namespace: 'admin',
  methods: ['POST'],
  path: `${path}/recovery-codes`,
  name: 'second_factor.recovery_codes',
  summary: 'Create new recovery codes',
  description:
    'Replaces all earlier codes. Requires the password or a code. The new codes are shown in this response only.',
  input: reauthenticationFields,
  body: 'ConfirmationInput',
  responses: { 201: recoveryCodesSchema },
  shownOnce: ['recovery_codes'],
  errors: ['rest_forbidden', 'confirmation-required', 'second-factor-missing'],
  async handle(ctx, proof, user) {
    if (!hasSecondFactor(user)) throw new ApiError('second-factor-missing');
    await requireReauthentication(ctx, proof);
    return created(
      { recovery_codes: await replaceRecoveryCodes(ctx.context, { userId: user.id, actor: ctx.actor }) },
      SECRET,
    );
  },
});

/** Second factor of the viewer's own account. */
export const secondFactorEndpoints: AnyEndpoint[] = [begin, confirm, remove, renew];
