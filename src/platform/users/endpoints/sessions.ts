import { z } from 'zod';
import { can } from '../../../http/core/auth.ts';
import { sessionCookie } from '../../../http/core/cookies.ts';
import {
  type AnyEndpoint,
  assertFound,
  created,
  type EndpointResponse,
  endpoint,
  type HandlerContext,
  ok,
} from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { email, field, oneOf } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { sessionOfViewer } from '../sign-in/credentials.ts';
import { requestMailedLink } from '../sign-in/mailed-links.ts';
import { mayManageCredentials } from '../sign-in/rights.ts';
import { findSession, listSessions, removeSession } from '../sign-in/session-store.ts';
import { type NewSession, signIn, signInByLink } from '../sign-in/sign-in.ts';
import { linkToken, sessionId, signInFields } from './fields.ts';
import { renderMe } from './me.ts';
import { meSchema, sessionSchema, sessionView } from './view.ts';

const begun = async (ctx: HandlerContext, { viewer, cookie }: NewSession): Promise<EndpointResponse> =>
  created(await renderMe({ ...ctx, viewer }), { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' });

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/session',
  name: 'session.create',
  summary: 'Sign in',
  description:
    'Begins a session: the cookie `marquee-session` then identifies the account in requests from pages of this site. ' +
    'An account with a second factor gets 401 `second-factor-required` until a code is sent, too.',
  input: signInFields,
  required: ['name', 'password'],
  body: 'SignInInput',
  responses: { 201: meSchema },
  shownOnce: ['Set-Cookie'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'second-factor-invalid'],
  isForSetUp: true,
  isCredentialWrite: true,
  handle: async (ctx, sent) => begun(ctx, await signIn(ctx, sent)),
});

const createByLink = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/session/by-link',
  name: 'session.create_by_link',
  summary: 'Sign in with a link',
  description:
    'Exchanges the token behind `#sign-in=` or `#setup=` of a link for a session, once. For an hour the session may ' +
    'set a password without the current one, unless the link is only for signing in. With a link that was sent by mail, an ' +
    'account with a second factor gets 401 `second-factor-required` until a code is sent, too.',
  input: { token: linkToken, code: signInFields.code },
  required: ['token'],
  body: 'SignInByLinkInput',
  responses: { 201: meSchema },
  shownOnce: ['Set-Cookie'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'sign-in-link-invalid', 'second-factor-invalid'],
  isForSetUp: true,
  isCredentialWrite: true,
  handle: async (ctx, sent) => begun(ctx, await signInByLink(ctx, sent)),
});

const requestLink = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/session/mailed-link',
  name: 'session.mail_link',
  summary: 'Ask for a link by mail',
  description:
    'For a person who cannot sign in. If the address belongs to an account, it gets a mail with a link that signs in once, within an hour. The response is the same for every address, and so is its time. With `purpose=password`, the session may set a password without the current one.',
  input: {
    email: email('E-mail address of the account.'),
    purpose: oneOf('What the link is for; by default `password`.', ['password', 'sign-in']),
  },
  required: ['email'],
  body: 'MailedLinkRequest',
  responses: {
    202: z
      .object({ requested: z.literal(true) })
      .meta({ id: 'MailedLinkRequested', description: 'A mail is sent, if the address belongs to an account.' }),
  },
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'mail-not-configured', 'too-many-requests'],
  isForSetUp: true,
  isCredentialWrite: true,
  isRefusedInBatch: true,
  // Counts are kept outside of a transaction.
  idempotency: 'recorded',
  async handle(ctx, { email: address, purpose = 'password' }) {
    await requestMailedLink(ctx, { email: address, purpose });
    return { status: 202, body: { requested: true }, headers: PRIVATE_NO_STORE };
  },
});

const end = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/session',
  name: 'session.remove',
  summary: 'Sign out',
  description: 'Ends the session of the cookie and removes the cookie. Credentials in `Authorization` have no session.',
  input: {},
  responses: {
    200: z
      .object({ ended: z.boolean().describe('Whether there was a session.') })
      .meta({ id: 'SessionEnd', description: 'Result of ending a session.' }),
  },
  errors: ['rest_forbidden'],
  isForSetUp: true,
  isCredentialWrite: true,
  isRefusedInBatch: true,
  async handle(ctx) {
    const session = sessionOfViewer(ctx.viewer);
    const ended = session && (await ctx.context.db.transaction((db) => removeSession(db, session.id)));
    const headers = { 'Set-Cookie': sessionCookie(undefined, ctx.urls), 'Cache-Control': 'no-store' };
    return ok({ ended: ended !== undefined }, headers);
  },
});

/** Id of the account whose sessions are listed, or `all`. */
const sessionOwner = field<number | 'all'>(
  {
    type: 'string',
    pattern: '^(all|[1-9][0-9]{0,15})$',
    description: 'Id of the account, or `all` (administrators only). By default, the authenticated account.',
  },
  'param.session_user',
  (value) => {
    if (value === 'all') return value;
    const isId = (typeof value === 'string' || typeof value === 'number') && /^[1-9]\d{0,14}$/.test(`${value}`);
    return isId ? Number(value) : undefined;
  },
);

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/sessions',
  name: 'sessions.list',
  summary: 'List sessions',
  description: 'Newest first, active sessions only.',
  input: { ...pageFields, user: sessionOwner },
  responses: { 200: listSchema('sessions', sessionSchema, 'SessionList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: async ({ user }, { viewer }) => ({ owner: user ?? viewer.account?.id ?? 0 }),
  may: (viewer, target) =>
    target?.owner === 'all' ? can(viewer, 'manage_users') : mayManageCredentials(viewer, target?.owner ?? 0),
  async handle({ context, urls, viewer, now }, { user, ...paging }, { owner }) {
    const page = pageOf(paging, context.config.perPage);
    const filter = { userId: owner === 'all' ? undefined : owner, limit: page.perPage, offset: page.offset };
    const { sessions, total } = await listSessions(context.db, filter, now);
    return listResponse({
      key: 'sessions',
      items: sessions.map((row) => sessionView(row, sessionOfViewer(viewer)?.id)),
      total,
      page,
      url: urls.rest('admin', '/sessions'),
      params: { per_page: page.perPage, user },
    });
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/sessions/{id}',
  name: 'sessions.remove',
  summary: 'End a session',
  description: 'It stops working immediately.',
  input: { id: sessionId },
  required: ['id'],
  responses: { 200: sessionSchema },
  errors: ['rest_forbidden', 'session-not-found'],
  isCredentialWrite: true,
  isRefusedInBatch: true,
  async find({ id }, { context, viewer, now }) {
    const session = id === undefined ? undefined : await findSession(context.db, id, now);
    const isVisible = session && (can(viewer, 'manage_users') || session.user_id === viewer.account?.id);
    // Visitors must learn nothing, not even which ids are taken.
    if (!isVisible && viewer.account) throw new ApiError('session-not-found');
    return session;
  },
  may: (viewer, session) => session !== undefined && mayManageCredentials(viewer, session.user_id),
  async handle({ context, viewer }, { id }, found) {
    const session = assertFound(found);
    await context.db.transaction((db) => removeSession(db, id));
    return ok(sessionView(session, sessionOfViewer(viewer)?.id));
  },
});

export const sessionEndpoints: AnyEndpoint[] = [create, createByLink, requestLink, end, list, remove];
