import type { Context } from '../../../base/context.ts';
import { type Capability, can, ROLE_NAMES, ROLES } from '../../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { boolean, integer, oneOf, searchText } from '../../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../../http/output/pagination.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { displayedAccountName } from '../../../lib/text/account-name.ts';
import { isReachable } from '../account-mails.ts';
import { availableAlerts } from '../alerts.ts';
import { hashPassword, unmatchableHash } from '../passwords.ts';
import { sessionOfViewer } from '../sign-in/credentials.ts';
import { mailLink } from '../sign-in/mailed-links.ts';
import { reauthenticationFor, requireReauthentication } from '../sign-in/reauthentication.ts';
import { getUser, mayChangeUser, maySeeUser, requiresReauthentication } from '../sign-in/rights.ts';
import { hasSecondFactor, removeSecondFactor } from '../sign-in/second-factor.ts';
import { createSignInLink } from '../sign-in/sign-in-links.ts';
import { findUser, insertUser, listUsers, removeUser, type UserRow, updateUser } from '../store.ts';
import { appPasswordEndpoints } from './app-passwords.ts';
import {
  accountAlerts,
  accountFields,
  accountLanguage,
  currentPassword,
  mayRefund,
  reauthenticationFields,
  userId,
} from './fields.ts';
import { meEndpoints } from './me.ts';
import { secondFactorEndpoints } from './second-factor-endpoints.ts';
import { sessionEndpoints } from './sessions.ts';
import { signInLinkEndpoints } from './sign-in-link-endpoints.ts';
import { tokenEndpoints } from './tokens.ts';
import { authorSchema, newUserSchema, signInLinkView, userSchema, userView } from './view.ts';

/** The column of `may_refund`, if it was sent. */
const refundColumn = (may: boolean | undefined) =>
  may === undefined ? {} : { may_refund: may ? (1 as const) : (0 as const) };

/** @throws {InvalidParams} for an alert that the account has no right to */
function checkedAlerts(alerts: readonly string[], user: UserRow): string[] {
  const available = availableAlerts(user);
  if (alerts.every((kind) => available.some((one) => one === kind)))
    return available.filter((kind) => alerts.includes(kind));
  throw invalidParam('alerts', 'param.one_of', { allowed: available.join(', ') });
}

/** @throws {InvalidParams} unless it is a language of the site, or empty */
function checkLanguage(language: string | undefined, { config }: Context): void {
  if (language && !config.languages.includes(language))
    throw invalidParam('language', 'param.one_of', { allowed: config.languages.join(', ') });
}

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/users',
  name: 'users.list',
  summary: 'List accounts',
  description: 'Oldest first.',
  input: {
    ...pageFields,
    search: searchText('Part of the name or the e-mail address.'),
    role: oneOf('Only accounts with this role.', ROLE_NAMES),
  },
  responses: { 200: listSchema('users', userSchema, 'UserList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, urls }, { search, role, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const roles = role && [role];
    const { users, total } = await listUsers(context.db, { search, roles, limit: page.perPage, offset: page.offset });
    const params = { per_page: page.perPage, search, role };
    return listResponse({
      key: 'users',
      items: users.map(userView),
      total,
      page,
      url: urls.rest('admin', '/users'),
      params,
    });
  },
});

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/users',
  name: 'users.create',
  summary: 'Create an account',
  description:
    'Without a password, the response has a sign-in link for the person, who then sets one. With `invite`, the link is ' +
    'sent by mail instead, if the site sends mails. A new administrator requires re-authentication.',
  input: {
    ...accountFields,
    may_refund: mayRefund,
    language: accountLanguage,
    invite: boolean('Whether the sign-in link is sent by mail, where mail is set up, instead of shown.'),
  },
  required: ['username', 'email', 'role'],
  body: 'UserInput',
  responseHeaders: ['Location'],
  responses: { 201: newUserSchema },
  shownOnce: ['sign_in_link'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'user-exists', 'confirmation-required'],
  isCredentialWrite: true,
  may: (viewer) => can(viewer, 'manage_users'),
  async handle(ctx, { password, may_refund, invite = false, ...account }) {
    const { context, actor, urls, viewer, now } = ctx;
    checkLanguage(account.language, context);
    if (account.role === 'administrator' || may_refund) await requireReauthentication(ctx);
    const password_hash = password === undefined ? unmatchableHash(context) : await hashPassword(password, context);
    const values = { ...account, ...refundColumn(may_refund), password_hash, created_utc: toUtc(now) };
    const isMailed = password === undefined && invite && context.config.smtp !== undefined && isReachable(account);
    const [user, link] = await context.db.transaction(async (db) => {
      const made = await insertUser(db, values, actor);
      const inTransaction = { ...context, db };
      if (isMailed) await mailLink(inTransaction, made, { kind: 'invitation', now, userId: viewer.account?.id });
      const isShown = password === undefined && !isMailed;
      return [made, isShown && (await createSignInLink(inTransaction, { userId: made.id }))] as const;
    });
    const body = {
      ...userView(user),
      ...(link && { sign_in_link: signInLinkView(link, urls) }),
      ...(invite && { is_invited: isMailed }),
    };
    const headers = { Location: urls.rest('admin', `/users/${user.id}`), ...(link && { 'Cache-Control': 'no-store' }) };
    return created(body, headers);
  },
});

const read = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/users/{id}',
  name: 'users.read',
  summary: 'Read an account',
  description: 'Administrators can read every account, other users only their own.',
  input: { id: userId },
  required: ['id'],
  responses: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: maySeeUser,
  handle: async (_call, _input, user) => ok(userView(user)),
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/users/{id}',
  name: 'users.update',
  summary: 'Change an account',
  description:
    'Omitted fields keep their values. Users may change the password, the e-mail address and the language of their own ' +
    'account, with a session or its current password; all other changes are for administrators. A password or an address of your ' +
    'own account or of an administrator, a promotion to administrator, a demotion and `may_refund` require re-authentication: by ' +
    '`/me/confirmation`, or ' +
    '`current_password`, your own password. A new password, role or address ends the other sessions of the account; the former address is told of another one.',
  input: {
    ...{ id: userId, ...accountFields, may_refund: mayRefund, language: accountLanguage, alerts: accountAlerts },
    current_password: currentPassword,
  },
  required: ['id'],
  body: 'UserChange',
  responses: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'user-exists', 'last-administrator', 'confirmation-required'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: mayChangeUser,
  async handle(ctx, { id, password, may_refund, current_password, alerts, ...changes }, user) {
    const { context, viewer, actor, now } = ctx;
    checkLanguage(changes.language, context);
    const session = sessionOfViewer(viewer);
    const isOwn = viewer.account?.id === id;
    const isByLink = isOwn && session?.maySetPassword && changes.email === undefined;
    const isProtected = ({ email, role, may_refund: mayBefore }: UserRow) => {
      const isAccess = password !== undefined || (changes.email ?? email) !== email;
      // A demotion too: afterwards the account would no longer be protected as an administrator.
      const changesAdministrators = (changes.role ?? role) !== role && [changes.role, role].includes('administrator');
      const isEntrusted = may_refund === true && mayBefore === 0;
      return changesAdministrators || isEntrusted || (isAccess && (isOwn ? !isByLink : role === 'administrator'));
    };
    const check = await reauthenticationFor(ctx, isProtected, { password: current_password });
    check(user);
    const password_hash = password === undefined ? undefined : await hashPassword(password, context);
    const values = {
      ...{ ...changes, ...refundColumn(may_refund), ...(password_hash && { password_hash }) },
      ...(alerts && { alerts: JSON.stringify(checkedAlerts(alerts, { ...user, ...changes })) }),
    };
    return ok(userView(await updateUser(context.db, id, values, { actor, session: session?.id, check, now })));
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/users/{id}',
  name: 'users.remove',
  summary: 'Delete an account',
  description:
    'Permanently, with its application passwords and tokens. `reassign` is required if the account owns records.',
  input: { id: userId, reassign: integer('Id of the account that takes over the records.', { min: 1 }) },
  required: ['id'],
  responses: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'last-administrator', 'user-owns-records'],
  isCredentialWrite: true,
  async find({ id, reassign }, ctx, addProblem) {
    const user = await getUser(id, ctx);
    // Other viewers must not learn which accounts exist.
    if (!can(ctx.viewer, 'manage_users')) return user;
    const isHeir = reassign === undefined || (reassign !== id && (await findUser(ctx.context.db, reassign)));
    if (!isHeir) addProblem('reassign', { key: 'param.author_unknown' });
    return user;
  },
  may: (viewer) => can(viewer, 'manage_users'),
  handle: async ({ context, actor }, { id, reassign }) =>
    ok(userView(await removeUser(context.db, id, reassign, actor))),
});

const removeFactor = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/users/{id}/second-factor',
  name: 'users.remove_second_factor',
  summary: 'Remove the second factor of an account',
  description:
    'For a person who has lost it: the recovery codes become invalid, and the sessions of the account end. If its role requires a ' +
    'second factor, the account can then only set up another one, with a session. For your own account and ' +
    'administrators, it requires re-authentication.',
  input: { id: userId, ...reauthenticationFields },
  required: ['id'],
  body: 'ConfirmationInput',
  responses: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'second-factor-missing', 'confirmation-required'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle(ctx, { id, ...proof }, user) {
    const { context, viewer, actor } = ctx;
    if (!hasSecondFactor(user)) throw new ApiError('second-factor-missing');
    const check = await reauthenticationFor(ctx, (current) => requiresReauthentication(current, viewer), proof);
    check(user);
    await removeSecondFactor(context, { userId: id, session: sessionOfViewer(viewer)?.id, actor, check });
    return ok(userView({ ...user, totp_secret: '' }));
  },
});

const authors = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/authors',
  name: 'authors.list',
  summary: 'List possible authors',
  description: 'Accounts that may create records, oldest first; for users who may name another author.',
  input: pageFields,
  responses: { 200: listSchema('authors', authorSchema, 'AuthorList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'edit_others'),
  async handle({ context, urls }, paging) {
    const page = pageOf(paging, context.config.perPage);
    const filter = { roles: AUTHORS, limit: page.perPage, offset: page.offset };
    const { users, total } = await listUsers(context.db, filter);
    return listResponse({
      key: 'authors',
      items: users.map(({ id, username }) => ({ id, name: displayedAccountName(username) })),
      total,
      page,
      url: urls.rest('admin', '/authors'),
      params: { per_page: page.perPage },
    });
  },
});

/** Roles that may create records. */
const AUTHORS = ROLE_NAMES.filter((role) => (ROLES[role] as readonly Capability[]).includes('edit'));

export const userEndpoints: AnyEndpoint[] = [
  ...sessionEndpoints,
  ...meEndpoints,
  ...secondFactorEndpoints,
  authors,
  list,
  create,
  read,
  update,
  remove,
  ...signInLinkEndpoints,
  removeFactor,
  ...appPasswordEndpoints,
  ...tokenEndpoints,
];
