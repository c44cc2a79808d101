import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { codeOf, makeAttendee, makeRsvp, makeSeat } from './attendees.ts';
import { type Asking, useTestServer } from './server.ts';
import { shopperOf } from './shopper.ts';
import { effort, usualDatabases } from './thoroughness.ts';
import { makeEvent, makeTicket, nonce } from './tickets.ts';

/**
 * Canary words: each is planted in one private place and must not appear in responses to viewers who may not see it.
 */

const SITE_KEY = 'canarysitekey';
const word = (what: string): string => `canary${what}`;
/** In events of the author, who may see them. Searches find parts of words, so each kind is sought by its beginning. */
const wordOfAuthor = (what: string): string => `finch${what}`;
const BEGINNINGS = [word(''), wordOfAuthor('')] as const;

/** All text fields of an event, with words in them. */
const eventTexts = (what: string, text = word) => ({
  title: `Evening ${text(`${what}title`)}`,
  description: text(`${what}description`),
  excerpt: text(`${what}excerpt`),
  website: `https://${text(`${what}website`)}.test/`,
  cost: '77.31',
});

/** Addresses of the request itself: in lists, headers and feeds. */
const ECHOES =
  /"[^"]*rest_url":"[^"]*"|<[^>]*>; rel|"feed_url":"[^"]*"|<(?:atom:)?link[^>]*rel="self"[^>]*>|<id>[^<]*\?[^<]*<\/id>/g;

describe.each(usualDatabases)('private data on %s', (kind) => {
  /** The same statements decide on both databases what viewers may see, so one of them tries fewer viewers. */
  const isThorough = effort(kind === 'sqlite', false);
  const server = useTestServer(kind, { qrApiKey: SITE_KEY });
  /** Words that only viewers with the rights of editors may get, by field. */
  const planted = new Map<string, string>();
  /** Words that no viewer may get. */
  const secrets = new Map<string, string>();
  const ids: Record<string, number> = {};
  const slugs: string[] = [];
  const credentials: Record<string, Record<string, string>> = {};

  const plant = (what: string, text: string): string => {
    planted.set(what, text);
    return text;
  };

  async function plantEvents(): Promise<void> {
    const { ask, make, userId } = server();
    const author = userId('author');
    for (const status of ['draft', 'private', 'pending', 'trash'] as const) {
      const texts = eventTexts(status, wordOfAuthor);
      const id = await makeEvent(server(), { ...texts, author, status: status === 'trash' ? 'publish' : status });
      for (const name of ['title', 'description', 'excerpt', 'website'] as const)
        plant(`${name} of a ${status} event`, wordOfAuthor(`${status}${name}`));
      await makeTicket(server(), id, { name: plant(`ticket of a ${status} event`, wordOfAuthor(`${status}ticket`)) });
      if (status === 'trash') await ask(`DELETE /events/${id}`, { as: 'editor' });
      ids[status] = id;
      slugs.push((await ask(`GET /events/${id}`, { as: 'administrator' })).body.slug ?? '');
    }
    const masked = await make('POST /events', {
      ...eventTexts('masked'),
      title: 'Members evening',
      start_date: '2027-03-06 18:30:00',
      end_date: '2027-03-06 21:00:00',
      featured: true,
      post_password: 'canarypassword',
      author: userId('contributor'),
    });
    ids.masked = masked.id;
    slugs.push(masked.slug);
    for (const name of ['description', 'excerpt', 'website']) plant(`${name} of a masked event`, word(`masked${name}`));
    await makeTicket(server(), masked.id, { name: plant('ticket of a masked event', word('maskedticket')) });
    await make(`PATCH /events/${masked.id}`, { excerpt: word('maskedfrench'), i18n_language: 'fr' });
    plant('translation of a masked event', word('maskedfrench'));
    secrets.set('password of an event', 'canarypassword');
    for (const [plural, name] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
    ] as const) {
      for (const status of ['draft', 'trash'] as const) {
        const text = plant(`${status} ${name}`, word(`${status}${name}`));
        const made = await make(`POST /${plural}`, { [name]: text, description: text, phone: text, status: 'draft' });
        ids[`${status}${name}`] = made.id;
        if (status === 'trash') await ask(`DELETE /${plural}/${made.id}`, { as: 'editor' });
      }
    }
  }

  async function plantPeople(): Promise<void> {
    const { context, ask, make } = server();
    ids.open = await makeEvent(server(), { title: 'Open evening' });
    const seat = await makeSeat(server(), ids.open, 50, { price: '12' });
    const reply = await makeRsvp(server(), ids.open);
    // Not of the author, who may see the attendees of own events.
    const closed = await makeSeat(server(), await makeEvent(server(), { title: 'Closed evening', status: 'private' }));
    ids.seat = seat;
    const people = [
      ['coming', seat, {}],
      ['optedout', seat, { optout: true }],
      ['notcoming', reply, { attendee_status: 'no', optout: false }],
      ['hidden', closed, {}],
      ['masked', await makeSeat(server(), ids.masked ?? 0), {}],
    ] as const;
    for (const [what, ticket, fields] of people) {
      const email = `${word(`${what}mail`)}@people.test`;
      const full_name = what === 'coming' ? 'Open Olga' : word(`${what}name`);
      const made = await makeAttendee(server(), ticket, { full_name, email, ...fields });
      ids[what] = made.id;
      ids.order = made.order;
      plant(`e-mail of who is ${what}`, word(`${what}mail`));
      if (what !== 'coming') plant(`name of who is ${what}`, full_name);
      plant(`code of who is ${what}`, await codeOf(server(), made.id));
    }
    const { query } = context.db;
    const answers = JSON.stringify({ meal: plant('answers', 'canaryanswer') });
    await query.updateTable('attendees').set({ information: answers }).execute();
    await ask(`PATCH tickets:/attendees/${ids.coming}`, { as: 'door', body: { check_in: true } });
    await query
      .updateTable('check_ins')
      .set({ device: plant('device of a check-in', 'canarydevice') })
      .execute();
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: seat, quantity: 1 }]);
    const purchaser = { name: plant('buyer', 'canarybuyer'), email: 'canarybuyermail@people.test' };
    plant('e-mail of a buyer', 'canarybuyermail');
    ids.pending = (await shopper.checkout({ purchaser })).body.order.id;
    await query
      .updateTable('orders')
      .set({ gateway: plant('gateway', 'canarygateway') })
      .execute();
    await shopperOf(server()).put([{ ticket_id: seat, quantity: 2 }]);
    await make('POST /tags', { name: 'open tag' });
  }

  async function plantAccounts(): Promise<void> {
    const { context, make, userId } = server();
    const account = { username: 'canaryuser', email: 'canaryuser@example.test', password: 'canaryaccountpassword' };
    ids.user = (await make('POST admin:/users', { ...account, role: 'author' })).id;
    plant('name and e-mail of an account', 'canaryuser');
    const token = await make('POST admin:/tokens', { name: 'canarytoken', scopes: 'read', user_id: ids.user });
    const app = await make(`POST admin:/users/${ids.user}/application-passwords`, { name: 'canaryapp' });
    const key = await make('POST admin:/check-in-keys', { name: 'canarykey', event_id: ids.open });
    const other = await make('POST admin:/check-in-keys', { name: 'Other', event_id: await makeEvent(server()) });
    plant('name of a token', 'canarytoken');
    plant('name of an application password', 'canaryapp');
    plant('name of a check-in key', 'canarykey');
    secrets.set('password of an account', account.password).set('token', token.token).set('key', key.key);
    secrets.set('application password', app.password).set('key of the site', SITE_KEY);
    secrets.set('one-time token', await nonce(server(), 'add_ticket_nonce'));
    const { query } = context.db;
    const hashes: [string, Promise<Record<string, unknown>[]>][] = [
      ['hash of a password', query.selectFrom('users').select('password_hash as hash').execute()],
      ['hash of a token', query.selectFrom('tokens').select('hash').execute()],
      ['hash of an application password', query.selectFrom('app_passwords').select('hash').execute()],
      ['hash of a key', query.selectFrom('check_in_keys').select('hash').execute()],
      ['hash of a one-time token', query.selectFrom('nonces').select('hash').execute()],
      ['hash of a cart', query.selectFrom('carts').select('token_hash as hash').execute()],
    ];
    for (const [what, rows] of hashes)
      for (const [index, { hash }] of (await rows).entries()) secrets.set(`${what} ${index}`, String(hash));
    const made = async (owner: 'administrator' | 'author', scopes: string) => {
      const { token: text } = await make('POST admin:/tokens', { name: 'Own', scopes, user_id: userId(owner) });
      return { authorization: `Bearer ${text}` };
    };
    if (isThorough) credentials['a token of the author for reading'] = await made('author', 'read');
    credentials['a token of the author for everything'] = await made('author', 'admin');
    credentials['a check-in key of another event'] = { 'x-api-key': other.key };
    if (isThorough) credentials['a wrong check-in key'] = { 'x-api-key': 'wrong' };
    for (const role of isThorough ? (['subscriber', 'contributor', 'author'] as const) : (['contributor'] as const))
      credentials[`the ${role}`] = { authorization: `Basic ${btoa(`${role}:${role}-password`)}` };
    credentials.nobody = {};
  }

  beforeAll(async () => {
    await plantEvents();
    await plantPeople();
    await plantAccounts();
  });

  /** Values to try for a parameter: ids of hidden records, the canaries, and values of its type. */
  function valuesOf(name: string): (string | number)[] {
    const hidden = ['draft', 'private', 'trash', 'masked', 'open', 'draftvenue', 'draftorganizer', 'seat', 'order'];
    const every = hidden.map((what) => ids[what] ?? 0);
    if (name === 'slug') return slugs;
    if (/^(search|name|email)$/.test(name))
      return [...BEGINNINGS, 'evening', planted.get('code of who is coming') ?? ''];
    if (/^(password|api_key|security_code)$/.test(name)) return ['wrong'];
    if (/status/.test(name)) return ['any', 'draft,private,trash,pending', 'no'];
    if (name === 'context') return ['edit'];
    if (name === '_embed') return ['1'];
    if (/^(orderby|order)$/.test(name)) return ['title', 'DESC'];
    if (/^(include|exclude)$/.test(name)) return [every.join()];
    if (/(post|event|ticket|venue|organizer|parent|_id)/.test(name) && name !== 'ticketed') return every;
    return /^(page|per_page|offset|i18n_language)$/.test(name) ? [] : ['true', 'any', 1];
  }

  /** Every GET of the interface: each record, and each list with each of its parameters. */
  function requests(): string[] {
    const reads = endpoints.filter(({ methods, path }) => methods.includes('GET') && !/^(\/doc)?$/.test(path));
    const paths = reads.flatMap(({ namespace, path, input }) => {
      const queries = Object.keys(input).flatMap((name) =>
        valuesOf(name).map((value) => `${name}=${encodeURIComponent(value)}`),
      );
      if (!path.includes('{'))
        return ['', 'i18n_language=fr', ...queries].map((query) => `${namespace}:${path}?${query}&per_page=100`);
      const named = path.includes('{slug}') ? slugs : Object.values(ids);
      const wrong = ['password', 'security_code'].filter((name) => name in input).map((name) => `${name}=wrong`);
      return named.flatMap((value) =>
        ['', ...wrong].map((query) => `${namespace}:${path.replace(/\{\w+\}/, String(value))}?${query}`),
      );
    });
    return [...new Set(paths)];
  }

  interface Heard {
    path: string;
    said: string;
    total: number;
  }

  /** The response to every request. */
  async function ask(asking: Asking): Promise<Heard[]> {
    const heard: Heard[] = [];
    for (const path of requests()) {
      const { text, headers, body } = await server().ask(`GET ${path}`, asking);
      // The links of lists repeat the query; everything else counts.
      const said = `${text}\n${JSON.stringify([...headers])}`.replace(ECHOES, '');
      heard.push({ path, said, total: Number(body?.total ?? headers.get('x-wp-total') ?? 0) });
    }
    return heard;
  }

  /** Words found in responses, each with its request; a total above 0 for a word that was sought counts too. */
  function leaks(heard: readonly Heard[], words: ReadonlyMap<string, string>): string[] {
    const found: string[] = [];
    for (const { path, said, total } of heard) {
      const sought = /[?&](?:search|name|email)=([^&]*)/.exec(path)?.[1];
      for (const [what, canary] of words) {
        if (said.includes(canary)) found.push(`${what}: ${path}`);
        if (sought === canary && total > 0) found.push(`${what}: total of ${path}`);
      }
    }
    return found;
  }

  let told: Promise<Heard[]> | undefined;
  /** Shared by two tests. */
  const toldAdministrators = () => (told ??= ask({ as: 'administrator' }));

  it('is in no response to viewers who may not see it, under any parameter', async () => {
    for (const [name, headers] of Object.entries(credentials)) {
      const isAuthor = name.includes('the author');
      const sought = BEGINNINGS.map((text) => [`any ${text}`, text] as const);
      const words = [...planted, ...sought].filter(([, text]) => !isAuthor || !text.startsWith(wordOfAuthor('')));
      expect([name, leaks(await ask({ headers }), new Map([...words, ...secrets]))]).toEqual([name, []]);
    }
  });

  it('is in no response to administrators either if it is a secret', async () => {
    // The link that connects a scanner is shown only once, when the key is created.
    expect(leaks(await toldAdministrators(), secrets)).toEqual([]);
  });

  it('would be found if it leaked', async () => {
    const found = leaks(await toldAdministrators(), planted);
    const missing = [...planted.keys()].filter((what) => !found.some((leak) => leak.startsWith(`${what}:`)));
    expect(missing).toEqual([]);
  });
});
