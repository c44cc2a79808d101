import { z } from 'zod';
import { clearable, oneOf, url, withDefault } from '../../http/input/schemas.ts';
import { LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { attributeLine, isSameWebsite, type LinkedPostKind } from '../linked-posts/kind.ts';
import { linkedPostSchema, thingJsonLd } from '../linked-posts/view.ts';

const TYPES = ['organization', 'person'] as const;

const attributes = {
  phone: attributeLine('Telephone number.'),
  website: withDefault(clearable(url('Web address.')), null),
  email: attributeLine('E-mail address. It is public.'),
  organizer_type: withDefault(clearable(oneOf('Whether it is a person or an organization.', TYPES)), null),
};

/** Organizers: the people or groups that run an event. */
export const organizer = {
  name: 'organizer',
  plural: LINKED_KINDS.organizer.plural,
  attributes,
  isSame: { website: isSameWebsite },
  schema: linkedPostSchema('organizer', attributes, {
    organizer_type: z.enum(TYPES).optional().describe('Absent: unknown, which counts as an organization.'),
  }).meta({
    id: 'Organizer',
    description: 'An organizer. Empty members are omitted.',
  }),
  jsonLd: (post, image) => ({
    ...thingJsonLd(post.attributes.organizer_type === 'person' ? 'Person' : 'Organization', post, image),
    url: post.attributes.website,
    telephone: post.attributes.phone,
    email: post.attributes.email,
    sameAs: post.attributes.website,
  }),
  inEvents: { jsonLdProperty: 'organizer' },
  identifying: [['website'], ['email'], ['phone']],
  metaKeys: { _OrganizerPhone: 'phone', _OrganizerWebsite: 'website', _OrganizerEmail: 'email' },
} satisfies LinkedPostKind;
