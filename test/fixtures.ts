import sharp from 'sharp';
import type { TestServer } from './server.ts';

/** A picture of one colour; 800 x 600 has three renditions, 100 x 80 none. */
export const png = (width = 800, height = 600): Promise<Buffer<ArrayBuffer>> =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 90 } } })
    .png()
    .toBuffer() as Promise<Buffer<ArrayBuffer>>;

/** A black picture of one channel: huge ones are encoded quickly. */
export const blackPng = (width: number, height: number): Promise<Buffer> =>
  sharp(Buffer.alloc(width * height), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer();

/** The form data of an upload. */
export function upload(bytes: Uint8Array<ArrayBuffer>, name = 'poster.png', type = 'image/png'): FormData {
  const form = new FormData();
  form.set('file', new Blob([bytes], { type }), name);
  return form;
}

/** Ids of one record of every kind, all linked to each other. */
export interface Everything {
  event: number;
  venue: number;
  organizer: number;
  category: number;
  parent: number;
  tag: number;
  media: number;
  password: number;
  token: number;
}

/** Creates an event with everything that an event can have, and a credential of each kind for the editor. */
export async function makeEverything({ ask, make, userId }: TestServer): Promise<Everything> {
  const uploaded = await ask('POST admin:/media', { as: 'administrator', form: upload(await png()) });
  const media: number = uploaded.body.id;
  const venue = await make('POST /venues', {
    venue: 'Lantern Hall',
    description: 'Red brick',
    address: '4 Mill Lane',
    city: 'Salem',
    country: 'United States',
    state: 'MA',
    zip: '01970',
    phone: '555 0101',
    website: 'https://hall.example',
    geo_lat: 42.5,
    geo_lng: -70.9,
    image: media,
  });
  const organizer = await make('POST /organizers', {
    organizer: 'Lantern Club',
    description: 'Walkers',
    phone: '555 0102',
    website: 'https://club.example',
    email: 'club@example.test',
    image: media,
  });
  const parent = await make('POST /categories', { name: 'Outdoors' });
  const category = await make('POST /categories', { name: 'Walks', parent: parent.id, description: 'On foot' });
  const tag = await make('POST /tags', { name: 'family' });
  const event = await make('POST /events', {
    title: 'Lantern Walk',
    description: 'Bring a lantern.\n\nAnd boots.',
    excerpt: 'A walk by night',
    slug: 'lantern-walk',
    timezone: 'Europe/Paris',
    start_date: '2027-02-01 18:00',
    end_date: '2027-02-01 21:00',
    cost: '$5 - $10',
    website: 'https://walk.example',
    image: media,
    venue: venue.id,
    organizer: [organizer.id],
    categories: [category.id],
    tags: [tag.id],
    featured: true,
    sticky: true,
  });
  const owner = userId('editor');
  const password = await make(`POST admin:/users/${owner}/application-passwords`, { name: 'till' });
  const token = await make('POST admin:/tokens', { name: 'feed', scopes: ['read'], user_id: owner });
  return {
    event: event.id,
    venue: venue.id,
    organizer: organizer.id,
    category: category.id,
    parent: parent.id,
    tag: tag.id,
    media,
    password: password.id,
    token: token.id,
  };
}
