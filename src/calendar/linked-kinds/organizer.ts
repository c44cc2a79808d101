import { clearable, url, withDefault } from '../../http/input/schemas.ts';
import { LINKED_KINDS } from '../../lib/linked-kinds.ts';
import { attributeLine, isSameWebsite, type LinkedPostKind } from '../linked-posts/kind.ts';
import { linkedPostSchema, thingLd } from '../linked-posts/view.ts';

const attributes = {
  phone: attributeLine('Telephone number.'),
  website: withDefault(clearable(url('Web address.')), null),
  email: attributeLine('E-mail address. It is public.'),
};

/** Organizers: the people or groups that run an event. */
export const organizer = {
  name: 'organizer',
  plural: LINKED_KINDS.organizer.plural,
  attributes,
  isSame: { website: isSameWebsite },
  schema: linkedPostSchema('organizer', attributes, {}).meta({
    id: 'Organizer',
    description: 'An organizer. Empty members are omitted.',
  }),
  jsonLd: (post, image) => ({
    ...thingLd('Person', post, image),
    url: post.attributes.website ?? '',
    telephone: post.attributes.phone ?? '',
    email: post.attributes.email ?? '',
    sameAs: post.attributes.website ?? '',
  }),
  inEvents: { jsonLdProperty: 'organizer' },
  identifying: [['website'], ['email'], ['phone']],
  metaKeys: { _OrganizerPhone: 'phone', _OrganizerWebsite: 'website', _OrganizerEmail: 'email' },
} satisfies LinkedPostKind;
