import { can, SCOPE_NAMES, type Scope } from '../../../http/core/auth.ts';
import {
  type AddProblem,
  type AnyEndpoint,
  created,
  endpoint,
  ok,
  type RequestContext,
} from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { integer } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { type DateExpression, type LocalTime, resolveEndIn, toUtc } from '../../../lib/dates/dates.ts';
import { secretHash } from '../../../lib/hash.ts';
import { findToken, insertToken, listTokens, removeToken } from '../credential-store.ts';
import { generateToken } from '../generate.ts';
import { requireReauthentication } from '../sign-in/reauthentication.ts';
import { getUser, mayMakeCredentials, mayManageCredentials } from '../sign-in/rights.ts';
import { credentialId, tokenFields } from './fields.ts';
import { newTokenSchema, tokenSchema, tokenView } from './view.ts';

/** Scopes of a request; unknown ones are rejected. */
export function readScopes(sent: readonly string[], addProblem: AddProblem): Scope[] {
  const known = sent.filter((scope): scope is Scope => (SCOPE_NAMES as string[]).includes(scope));
  if (known.length < sent.length)
    addProblem('scopes', { key: 'param.one_of', values: { allowed: SCOPE_NAMES.join(', ') } });
  return known;
}

/**
 * Expiry of a token in UTC, or null for none; a day without a time is included whole. Rejects past times: such a token
 * would never work.
 */
export function readExpiry(
  expires: DateExpression | undefined,
  { zone, now }: { zone: string; now: Date },
  addProblem: AddProblem,
): LocalTime | null {
  if (!expires) return null;
  const utc = resolveEndIn(expires, { zone, now });
  if (utc === undefined) {
    addProblem('expires', { key: 'param.date' });
    return null;
  }
  if (utc <= toUtc(now)) addProblem('expires', { key: 'param.future' });
  return utc;
}

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/tokens',
  name: 'tokens.list',
  summary: 'List tokens',
  description:
    'Oldest first. The tokens themselves are not stored. Administrators see the tokens of every account, others only their own.',
  input: { ...pageFields, user_id: integer('Only tokens of this account.', { min: 1 }) },
  responses: { 200: listSchema('tokens', tokenSchema, 'TokenList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: async ({ user_id }, { viewer }) => ({
    owner: user_id ?? (can(viewer, 'manage_users') ? undefined : viewer.account?.id),
  }),
  may: (viewer, target) => mayManageCredentials(viewer, target?.owner ?? 0),
  async handle({ context, urls }, { user_id, ...paging }, { owner }) {
    const page = pageOf(paging, context.config.perPage);
    const { tokens, total } = await listTokens(context.db, { userId: owner, limit: page.perPage, offset: page.offset });
    const params = { per_page: page.perPage, user_id };
    return listResponse({
      key: 'tokens',
      items: tokens.map(tokenView),
      total,
      page,
      url: urls.rest('admin', '/tokens'),
      params,
    });
  },
});

interface TokenRequest {
  owner: number | undefined;
  scopes: Scope[];
  expires_utc: LocalTime | null;
}

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/tokens',
  name: 'tokens.create',
  summary: 'Create a token',
  description:
    'The token is shown in this response only. It never allows more than the role of its owner. The scope `admin` requires ' +
    're-authentication.',
  input: {
    ...tokenFields,
    user_id: integer('Owner of the token: the authenticated account, unless an administrator names another.', {
      min: 1,
    }),
  },
  required: ['name', 'scopes'],
  body: 'TokenInput',
  responses: { 201: newTokenSchema },
  shownOnce: ['token'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'user-not-found', 'confirmation-required'],
  isCredentialWrite: true,
  async find({ scopes = [], expires, user_id }, ctx: RequestContext, addProblem): Promise<TokenRequest> {
    const { context, viewer, now } = ctx;
    return {
      owner: user_id === undefined ? viewer.account?.id : (await getUser(user_id, ctx)).id,
      scopes: readScopes(scopes, addProblem),
      expires_utc: readExpiry(expires, { zone: context.config.timezone, now }, addProblem),
    };
  },
  may: (viewer, wanted) => wanted?.owner !== undefined && mayMakeCredentials(viewer, wanted.owner),
  async handle(ctx, { name }, { owner = 0, scopes, expires_utc }) {
    const { context, actor, now } = ctx;
    if (scopes.includes('admin')) await requireReauthentication(ctx);
    const token = generateToken(context.random);
    const values = { user_id: owner, name, hash: secretHash(token), created_utc: toUtc(now), scopes, expires_utc };
    return created(
      { ...tokenView(await insertToken(context.db, values, actor)), token },
      { 'Cache-Control': 'no-store' },
    );
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/tokens/{id}',
  name: 'tokens.remove',
  summary: 'Revoke a token',
  description: 'It stops working immediately.',
  input: { id: credentialId },
  required: ['id'],
  responses: { 200: tokenSchema },
  errors: ['rest_forbidden', 'token-not-found'],
  isCredentialWrite: true,
  async find({ id }, { context, viewer }) {
    const token = id === undefined ? undefined : await findToken(context.db, id);
    const isVisible = token && (can(viewer, 'manage_users') || token.user_id === viewer.account?.id);
    // Visitors must learn nothing, not even which ids are taken.
    if (!isVisible && viewer.account) throw new ApiError('token-not-found');
    return token;
  },
  may: (viewer, token) => token !== undefined && mayManageCredentials(viewer, token.user_id),
  async handle({ context, actor }, { id }) {
    const token = await removeToken(context.db, id, actor);
    if (!token) throw new ApiError('token-not-found');
    return ok(tokenView(token));
  },
});

export const tokenEndpoints: AnyEndpoint[] = [list, create, remove];
