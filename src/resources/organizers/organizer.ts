import { clearable, text, url, withDefault } from '../../http/schemas.ts';
import { isSameWebsite, type LinkedPostKind } from '../linked-posts/kind.ts';
import { linkedPostSchema, thingLd } from '../linked-posts/view.ts';

const line = (description: string) => withDefault(clearable(text(description, { max: 500 })), null);

const attributes = {
  phone: line('Telephone number.'),
  website: withDefault(clearable(url('Web address.')), null),
  email: line('E-mail address. It is public.'),
};

/** An organizer, alone or in an event. */
export const organizerSchema = linkedPostSchema('organizer', Object.keys(attributes), {}).meta({
  id: 'Organizer',
  description: 'An organizer. Empty members are left out.',
});

/** Organizers: who puts an event on. */
export const organizer: LinkedPostKind = {
  kind: 'organizer',
  plural: 'organizers',
  attributes,
  fields: {},
  isSame: { website: isSameWebsite },
  schema: organizerSchema,
  jsonLd: (post, image) => ({
    ...thingLd('Person', post, image),
    url: post.attributes.website ?? '',
    telephone: post.attributes.phone ?? '',
    email: post.attributes.email ?? '',
    sameAs: post.attributes.website ?? '',
  }),
};
