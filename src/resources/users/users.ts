import { type Capability, can, ROLE_NAMES, ROLES } from '../../http/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { integer, oneOf, searchText } from '../../http/schemas.ts';
import { shownAccountName } from '../../lib/account-name.ts';
import { toUtc } from '../../lib/dates.ts';
import { appPasswordEndpoints } from './app-passwords.ts';
import { sessionOfViewer } from './credentials.ts';
import { accountFields, confirmationFields, currentPassword, userId } from './fields.ts';
import { meEndpoints } from './me.ts';
import { hashPassword, unmatchableHash } from './passwords.ts';
import { getUser, mayChangeUser, maySeeUser } from './rights.ts';
import { confirmPerson, hasSecondFactor, removeSecondFactor } from './second-factor.ts';
import { secondFactorEndpoints } from './second-factors.ts';
import { sessionEndpoints } from './sessions.ts';
import { makeSignInLink } from './sign-in-links.ts';
import { findUser, insertUser, listUsers, removeUser, updateUser } from './store.ts';
import { tokenEndpoints } from './tokens.ts';
import { authorSchema, newUserSchema, signInLinkSchema, signInLinkView, userSchema, userView } from './view.ts';

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
  answers: { 200: listSchema('users', userSchema, 'UserList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, urls }, { search, role, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const roles = role && [role];
    const { users, total } = await listUsers(context.db, { search, roles, limit: page.perPage, offset: page.offset });
    const params = { per_page: page.perPage, search, role };
    return listReply({
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
  description: 'Without a password, the response has a link for the person to sign in with, who then sets one.',
  input: accountFields,
  required: ['username', 'email', 'role'],
  body: 'UserInput',
  answerHeaders: ['Location'],
  answers: { 201: newUserSchema },
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'user-exists'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, actor, urls, now }, { password, ...account }) {
    const password_hash = password === undefined ? unmatchableHash(context) : await hashPassword(password, context);
    const values = { ...account, password_hash, created_utc: toUtc(now) };
    const [user, link] = await context.db.transaction(async (db) => {
      const made = await insertUser(db, values, actor);
      return [made, password === undefined && (await makeSignInLink({ ...context, db }, { userId: made.id }))] as const;
    });
    const body = { ...userView(user), ...(link && { sign_in_link: signInLinkView(link, urls) }) };
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
  description: 'Administrators can read every account, others only their own.',
  input: { id: userId },
  required: ['id'],
  answers: { 200: userSchema },
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
    'Fields that are not sent keep their values. Users may change the password and the e-mail address of their own ' +
    'account if the request is authenticated with its current password, or with a session and `current_password`; all ' +
    'else is for administrators. A new password or role ends the other sessions of the account.',
  input: { id: userId, ...accountFields, current_password: currentPassword },
  required: ['id'],
  body: 'UserChange',
  answers: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'user-exists', 'last-administrator', 'confirmation-required'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: mayChangeUser,
  async handle(ctx, { id, password, current_password, ...changes }, user) {
    const { context, viewer, actor } = ctx;
    const session = sessionOfViewer(viewer);
    const isChanged = password !== undefined || (changes.email ?? user.email) !== user.email;
    const isFree = session?.maySetPassword && changes.email === undefined;
    // A session may have been left open: it alone must not suffice to take over the account.
    if (session && viewer.account?.id === id && isChanged && !isFree)
      await confirmPerson(ctx, user, { password: current_password });
    const password_hash = password === undefined ? undefined : await hashPassword(password, context);
    const values = { ...changes, ...(password_hash && { password_hash }) };
    return ok(userView(await updateUser(context.db, id, values, { actor, session: session?.id })));
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
  answers: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'last-administrator', 'user-owns-records'],
  async find({ id, reassign }, ctx, addProblem) {
    const user = await getUser(id, ctx);
    // Other callers must not learn which accounts exist.
    if (!can(ctx.viewer, 'manage_users')) return user;
    const isHeir = reassign === undefined || (reassign !== id && (await findUser(ctx.context.db, reassign)));
    if (!isHeir) addProblem('reassign', { key: 'param.author_unknown' });
    return user;
  },
  may: (viewer) => can(viewer, 'manage_users'),
  handle: async ({ context, actor }, { id, reassign }) =>
    ok(userView(await removeUser(context.db, id, reassign, actor))),
});

const makeLink = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/users/{id}/sign-in-link',
  name: 'users.sign_in_link',
  summary: 'Make a sign-in link for an account',
  description:
    'For a person who has lost the password or the phone: it signs in once, within 24 hours, without password and code. ' +
    'The link is shown in this response only. For the own account, confirmed by password or code.',
  input: { id: userId, ...confirmationFields },
  required: ['id'],
  body: 'ConfirmationInput',
  answers: { 201: signInLinkSchema },
  errors: ['rest_forbidden', 'user-not-found', 'confirmation-required'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle(ctx, { id, ...proof }, user) {
    const { context, viewer, actor, urls } = ctx;
    // The session of a link may set a password without the present one.
    if (viewer.account?.id === id) await confirmPerson(ctx, user, proof);
    const link = await makeSignInLink(context, { userId: id, actor });
    return created(signInLinkView(link, urls), { 'Cache-Control': 'no-store' });
  },
});

const removeFactor = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/users/{id}/second-factor',
  name: 'users.remove_second_factor',
  summary: 'Remove the second factor of an account',
  description:
    'For a person who has lost it: the recovery codes are void, and the sessions of the account end. If its role needs a ' +
    'second factor, it can then do nothing but set up another one, with a session. For the own account, confirmed by ' +
    'password or code.',
  input: { id: userId, ...confirmationFields },
  required: ['id'],
  body: 'ConfirmationInput',
  answers: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'second-factor-missing', 'confirmation-required'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle(ctx, { id, ...proof }, user) {
    const { context, viewer, actor } = ctx;
    if (!hasSecondFactor(user)) throw new ApiError('second-factor-missing');
    // A session that was left open must not suffice to weaken the account it belongs to.
    if (viewer.account?.id === id) await confirmPerson(ctx, user, proof);
    await removeSecondFactor(context, { userId: id, session: sessionOfViewer(viewer)?.id, actor });
    return ok(userView({ ...user, totp_secret: '' }));
  },
});

const authors = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/authors',
  name: 'authors.list',
  summary: 'List those who can be named as authors',
  description: 'Accounts that may create records, oldest first; for callers who may name another author.',
  input: pageFields,
  answers: { 200: listSchema('authors', authorSchema, 'AuthorList') },
  answerHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => can(viewer, 'edit_others'),
  async handle({ context, urls }, paging) {
    const page = pageOf(paging, context.config.perPage);
    const filter = { roles: AUTHORS, limit: page.perPage, offset: page.offset };
    const { users, total } = await listUsers(context.db, filter);
    return listReply({
      key: 'authors',
      items: users.map(({ id, username }) => ({ id, name: shownAccountName(username) })),
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
  makeLink,
  removeFactor,
  ...appPasswordEndpoints,
  ...tokenEndpoints,
];
