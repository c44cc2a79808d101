import { z } from 'zod';
import type { Viewer } from '../../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { insertAppPassword, listAppPasswords, removeAppPassword } from '../credential-store.ts';
import { appPasswordHash, generateAppPassword } from '../generate.ts';
import { requireReauthentication } from '../sign-in/reauthentication.ts';
import { getUser, mayMakeCredentials, mayManageCredentials } from '../sign-in/rights.ts';
import type { UserRow } from '../store.ts';
import { credentialId, credentialName, userId } from './fields.ts';
import { appPasswordSchema, appPasswordView, newAppPasswordSchema } from './view.ts';

const path = '/users/{id}/application-passwords';
const may = (viewer: Viewer, user: UserRow | undefined): boolean =>
  user !== undefined && mayManageCredentials(viewer, user.id);

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path,
  name: 'application_passwords.list',
  summary: 'List the application passwords of an account',
  description: 'Oldest first. The passwords themselves are not stored.',
  input: { id: userId },
  required: ['id'],
  responses: {
    200: z
      .object({ application_passwords: z.array(appPasswordSchema) })
      .meta({ id: 'ApplicationPasswordList', description: 'The application passwords of an account.' }),
  },
  errors: ['rest_forbidden', 'user-not-found'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may,
  async handle({ context }, { id }) {
    const rows = await listAppPasswords(context.db, id);
    return ok({ application_passwords: rows.map(appPasswordView) });
  },
});

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path,
  name: 'application_passwords.create',
  summary: 'Create an application password',
  description:
    'The password is shown in this response only. It works with HTTP Basic, like the password of the account. Creating one for an ' +
    'administrator requires re-authentication.',
  input: { id: userId, name: credentialName },
  required: ['id', 'name'],
  body: 'ApplicationPasswordInput',
  responses: { 201: newAppPasswordSchema },
  shownOnce: ['password'],
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'user-not-found', 'confirmation-required'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer, user) => user !== undefined && mayMakeCredentials(viewer, user.id),
  async handle(ctx, { id, name }, user) {
    const { context, actor, now } = ctx;
    if (user.role === 'administrator') await requireReauthentication(ctx);
    const password = generateAppPassword(context.random);
    const hash = appPasswordHash(password);
    const values = { user_id: id, name, hash, created_utc: toUtc(now) };
    const row = await insertAppPassword(context.db, values, actor);
    return created({ ...appPasswordView(row), password }, { 'Cache-Control': 'no-store' });
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: `${path}/{password_id}`,
  name: 'application_passwords.remove',
  summary: 'Revoke an application password',
  description: 'It stops working immediately.',
  input: { id: userId, password_id: credentialId },
  required: ['id', 'password_id'],
  responses: { 200: appPasswordSchema },
  errors: ['rest_forbidden', 'user-not-found', 'app-password-not-found'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may,
  async handle({ context, actor }, { id, password_id }) {
    const row = await removeAppPassword(context.db, id, password_id, actor);
    if (!row) throw new ApiError('app-password-not-found');
    return ok(appPasswordView(row));
  },
});

export const appPasswordEndpoints: AnyEndpoint[] = [list, create, remove];
