import { z } from 'zod';
import { can } from '../../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { mailLinkTo } from '../sign-in/mailed-links.ts';
import { reauthenticationFor } from '../sign-in/reauthentication.ts';
import { getUser, requiresReauthentication } from '../sign-in/rights.ts';
import { createSignInLink, listSignInLinks, removeSignInLink } from '../sign-in/sign-in-links.ts';
import { linkId, reauthenticationFields, userId } from './fields.ts';
import {
  mailedLinkSchema,
  openSignInLinkSchema,
  openSignInLinkView,
  signInLinkSchema,
  signInLinkView,
} from './view.ts';

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/users/{id}/sign-in-link',
  name: 'users.sign_in_link',
  summary: 'Create a sign-in link for an account',
  description:
    'For a person who has lost the password or the phone: it signs in once, within 24 hours, without password and code. ' +
    'The link is shown in this response only. For your own account and administrators, it requires re-authentication. A new ' +
    'password or role of the account revokes it.',
  input: { id: userId, ...reauthenticationFields },
  required: ['id'],
  body: 'ConfirmationInput',
  responses: { 201: signInLinkSchema },
  shownOnce: ['url'],
  errors: ['rest_forbidden', 'user-not-found', 'confirmation-required'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle(ctx, { id, ...proof }, user) {
    const { context, viewer, actor, urls } = ctx;
    const check = await reauthenticationFor(ctx, (current) => requiresReauthentication(current, viewer), proof);
    check(user);
    const link = await createSignInLink(context, { userId: id, actor, check });
    return created(signInLinkView(link, urls), { 'Cache-Control': 'no-store' });
  },
});

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/users/{id}/sign-in-links',
  name: 'users.sign_in_links',
  summary: 'List the open sign-in links of an account',
  description: 'Oldest first, without used and expired ones. The links themselves are not stored.',
  input: { id: userId },
  required: ['id'],
  responses: {
    200: z
      .object({ sign_in_links: z.array(openSignInLinkSchema) })
      .meta({ id: 'SignInLinkList', description: 'The open sign-in links of an account.' }),
  },
  errors: ['rest_forbidden', 'user-not-found'],
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, now }, { id }) {
    return ok({ sign_in_links: (await listSignInLinks(context.db, id, now)).map(openSignInLinkView) });
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/users/{id}/sign-in-links/{link_id}',
  name: 'users.revoke_sign_in_link',
  summary: 'Revoke a sign-in link',
  description: 'It stops working immediately. Sessions begun with it continue.',
  input: { id: userId, link_id: linkId },
  required: ['id', 'link_id'],
  responses: { 200: openSignInLinkSchema },
  errors: ['rest_forbidden', 'user-not-found', 'sign-in-link-not-found'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  async handle({ context, actor, now }, { id, link_id }) {
    const link = await removeSignInLink(context.db, { id: link_id, userId: id, now, actor });
    if (!link) throw new ApiError('sign-in-link-not-found');
    return ok(openSignInLinkView(link));
  },
});

const mail = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/users/{id}/sign-in-mail',
  name: 'users.sign_in_mail',
  summary: 'Send a sign-in link to an account',
  description:
    'An invitation that works once within three days for an account that has never signed in; for others, a link that sets a password and works once within an hour. The link is only in the mail, and does not replace the second factor.',
  input: { id: userId },
  required: ['id'],
  responses: { 201: mailedLinkSchema },
  errors: ['rest_forbidden', 'user-not-found', 'mail-not-configured'],
  isCredentialWrite: true,
  find: ({ id }, ctx) => getUser(id, ctx),
  may: (viewer) => can(viewer, 'manage_users'),
  handle: async (ctx, { id }) => created(await mailLinkTo(ctx, id)),
});

/** One-time links for signing in, made by administrators for others. */
export const signInLinkEndpoints: AnyEndpoint[] = [create, mail, list, remove];
