import { can, forbidden, ROLE_NAMES } from '../../http/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../http/endpoint.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { integer, oneOf, searchText } from '../../http/schemas.ts';
import { shownAccountName } from '../../lib/account-name.ts';
import { toUtc } from '../../lib/dates.ts';
import { appPasswordEndpoints } from './app-passwords.ts';
import { meansOf } from './credentials.ts';
import { accountFields, userId } from './fields.ts';
import { hashPassword } from './passwords.ts';
import { getUser, mayChangeUser, maySeeUser } from './rights.ts';
import { findUser, insertUser, listUsers, removeUser, updateUser } from './store.ts';
import { tokenEndpoints } from './tokens.ts';
import { meSchema, userSchema, userView } from './view.ts';

const me = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/me',
  name: 'me.read',
  summary: 'Read the authenticated account',
  description: 'With its rights.',
  input: {},
  answers: { 200: meSchema },
  errors: ['rest_forbidden'],
  // Every account may.
  statuses: { rest_forbidden: 401 },
  may: (viewer) => viewer.account !== undefined,
  async handle({ viewer }) {
    if (!viewer.account) throw forbidden(viewer);
    const means = meansOf(viewer);
    return ok({
      ...viewer.account,
      username: shownAccountName(viewer.account.username),
      capabilities: [...viewer.capabilities],
      ...(means?.kind === 'token' && { scopes: means.scopes }),
    });
  },
});

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
    const { users, total } = await listUsers(context.db, { search, role, limit: page.perPage, offset: page.offset });
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
  input: accountFields,
  required: ['username', 'email', 'password', 'role'],
  body: 'UserInput',
  answerHeaders: ['Location'],
  answers: { 201: userSchema },
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'user-exists'],
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, actor, urls, now }, { password, ...account }) {
    const password_hash = await hashPassword(password, context);
    const user = await insertUser(context.db, { ...account, password_hash, created_utc: toUtc(now) }, actor);
    return created(userView(user), { Location: urls.rest('admin', `/users/${user.id}`) });
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
    'account if the request is authenticated with its current password; all else is for administrators.',
  input: { id: userId, ...accountFields },
  required: ['id'],
  body: 'UserChange',
  answers: { 200: userSchema },
  errors: ['rest_forbidden', 'user-not-found', 'user-exists', 'last-administrator'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: mayChangeUser,
  async handle({ context, actor }, { id, password, ...changes }) {
    const password_hash = password === undefined ? undefined : await hashPassword(password, context);
    const all = { ...changes, ...(password_hash && { password_hash }) };
    return ok(userView(await updateUser(context.db, id, all, actor)));
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

export const userEndpoints: AnyEndpoint[] = [
  me,
  list,
  create,
  read,
  update,
  remove,
  ...appPasswordEndpoints,
  ...tokenEndpoints,
];
