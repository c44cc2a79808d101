import { z } from 'zod';
import { type Capability, isRestricted, type Viewer } from '../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../http/core/endpoint.ts';
import { ApiError } from '../http/core/errors.ts';
import { LINKED_KINDS } from '../lib/linked-kinds.ts';
import { displayedAccountName } from '../lib/text/account-name.ts';
import { slugify } from '../lib/text/slug.ts';
import { linksSchema, viewFields } from './list.ts';

const flags = z.record(z.string(), z.literal(true));

/** Account of the viewer. */
const meSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.literal(''),
    description: z.literal(''),
    link: z.string(),
    slug: z.string(),
    avatar_urls: z.object({}),
    meta: z.array(z.never()),
    username: z.string().optional().describe('This and the following members only in the context `edit`.'),
    email: z.string().optional().describe('Absent for tokens with only some of the rights of the account.'),
    roles: z.array(z.string()).optional(),
    capabilities: flags.optional(),
    extra_capabilities: flags.optional(),
    _links: linksSchema,
  })
  .meta({ id: 'WpUser', description: 'The authenticated account.' });

/** Words for kinds of records in capability names. */
const TYPES = ['posts', 'tribe_events', ...Object.values(LINKED_KINDS).map(({ plural }) => `tribe_${plural}`)];

/** WordPress capabilities that clients check, by capability of Marquee. `*` is replaced by each of `TYPES`. */
const NAMES: Partial<Record<Capability, readonly string[]>> = {
  edit: ['edit_*', 'delete_*'],
  edit_published: ['edit_published_*', 'delete_published_*'],
  edit_others: ['edit_others_*', 'delete_others_*', 'edit_private_*', 'delete_private_*'],
  read_others: ['read_private_*'],
  publish: ['publish_*'],
  upload: ['upload_files'],
  manage_categories: ['manage_categories'],
  manage_users: ['list_users', 'create_users', 'edit_users', 'promote_users', 'delete_users'],
};

function capabilitiesOf({ capabilities }: Viewer): Record<string, true> {
  const names = [...capabilities].flatMap((own) => NAMES[own] ?? []);
  const all = names.flatMap((name) => (name.includes('*') ? TYPES.map((type) => name.replace('*', type)) : [name]));
  return Object.fromEntries(['read', ...all].map((name) => [name, true]));
}

const me = endpoint({
  namespace: 'wp',
  methods: ['GET'],
  path: '/users/me',
  name: 'wp_users.me',
  summary: 'Read the authenticated account',
  input: { context: viewFields.context },
  responses: { 200: meSchema },
  errors: ['rest_not_logged_in'],
  async handle({ viewer, urls }, { context }) {
    if (!viewer.account) throw new ApiError('rest_not_logged_in');
    const { id, username, email, role } = viewer.account;
    const name = displayedAccountName(username);
    const capabilities = capabilitiesOf(viewer);
    return ok({
      ...{ id, name, url: '', description: '', link: urls.page('/'), slug: slugify(name) || `user-${id}` },
      ...{ avatar_urls: {}, meta: [] },
      ...(context === 'edit' && {
        ...{ username: name, roles: [role], capabilities },
        ...(!isRestricted(viewer) && { email }),
        extra_capabilities: { [role]: true },
      }),
      _links: { self: [{ href: urls.rest('wp', '/users/me') }] },
    });
  },
});

export const userEndpoints: AnyEndpoint[] = [me];
