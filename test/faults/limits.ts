import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { nonceFor, openDoor, openEvent, ticketBody } from '../race-actions.ts';
import { DATABASES } from '../server.ts';
import type { RaceAnswer, RaceRequest } from '../two-servers.ts';
import { aftermath } from './aftermath.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

/** With the default settings: what one address can take, and how others are affected. */

/** The address that takes as much as it can. */
const GREEDY = '203.0.113.7';
/** The network of the venue, with the scanners and a client that guesses secrets. */
const VENUE = '203.0.113.8';
const CHECK_IN_KEY = 'a key of the settings';
const PASSWORD = 'sesame';
const CAPACITY = 20_000;

/** The defaults in docs/settings.md. */
const DEFAULTS = { places: 200, openOrders: 20, guesses: 50, cartWrites: 60, checkouts: 20 };

interface Scene {
  site: Site;
  ticketId: number;
  /** Event that needs a password. */
  masked: number;
  /** Request of a scanner for each attendee. */
  codes: object[];
  answers: Record<'greedy' | 'visitors' | 'guesser' | 'scanner', Tally>;
  isOver: () => boolean;
}

/** Seconds after which limits that were not reached are considered missing. */
const PATIENCE = 60;

/** Sends a request without credentials, from an address. */
const askFrom = ({ site }: Scene, from: string, call: string, asking: RaceRequest = {}): Promise<RaceAnswer> =>
  site.ask(call, { ...asking, anonymous: true, headers: { ...asking.headers, 'X-Forwarded-For': from } });

async function setUp(site: Site, seconds: number): Promise<Scene> {
  const eventId = await openEvent(site);
  const ticket = ticketBody(eventId, await nonceFor(site, eventId), { mode: 'own', capacity: CAPACITY });
  const { body } = await site.ask('POST tickets:/tickets', { body: { ...ticket, price: '10' } });
  const masked = await openEvent(site);
  await site.ask(`PATCH events:/events/${masked}`, { body: { post_password: PASSWORD } });
  const codes = await openDoor(site, seconds * SCANS_A_SECOND);
  const answers = { greedy: new Tally(), visitors: new Tally(), guesser: new Tally(), scanner: new Tally() };
  const began = performance.now();
  const hasLasted = (time: number) => performance.now() - began > time * 1000;
  const isReached = () => answers.greedy.of(429) > 0 && answers.guesser.total > 2 * (DEFAULTS.guesses + 1);
  const isOver = () => hasLasted(seconds) && (isReached() || hasLasted(seconds + PATIENCE));
  return { site, ticketId: body.id, masked, codes, answers, isOver };
}

let orders = 0;

/** Adds seats to a new cart and orders them; returns both statuses. */
async function order(scene: Scene, from: string, { places, isKeyed }: { places: number; isKeyed: boolean }) {
  orders += 1;
  const number = orders;
  const key = (step: string): Record<string, string> => (isKeyed ? { 'Idempotency-Key': `${step} ${number}` } : {});
  const held = await askFrom(scene, from, 'POST tickets:/cart', {
    headers: key('hold'),
    body: { provider: 'tc', tickets: [{ ticket_id: scene.ticketId, quantity: places }] },
  });
  if (held.status !== 200) return [held.status];
  const { status } = await askFrom(scene, from, 'POST tickets:/cart/checkout', {
    headers: { ...key('buy'), 'X-Cart-Token': String(held.headers['x-cart-token']) },
    body: { purchaser: { name: 'Ada', email: `buyer${number}@example.test` } },
  });
  return [held.status, status];
}

/** Fills carts and places orders as fast as possible, each with a new `Idempotency-Key`. */
async function takeAll(scene: Scene, answers: Tally): Promise<void> {
  while (!scene.isOver()) {
    for (const status of await order(scene, GREEDY, { places: 5, isKeyed: true })) answers.add(status);
  }
}

/** Buys two seats from each address in turn. */
async function visit(scene: Scene, answers: Tally): Promise<void> {
  for (let visitor = 0; !scene.isOver(); visitor += 1) {
    const from = `198.51.${100 + (visitor >> 8)}.${visitor & 255}`;
    for (const status of await order(scene, from, { places: 2, isKeyed: false })) answers.add(status);
    await delay(50);
  }
}

interface Guess {
  call: string;
  asking?: RaceRequest;
}

const passwordGuess = ({ masked }: Scene, password: string): Guess => ({
  call: `GET events:/events/${masked}?password=${encodeURIComponent(password)}`,
});

const keyGuess = ({ codes }: Scene, api_key: string): Guess => ({
  call: 'POST tickets:/qr',
  asking: { body: { ...codes[0], api_key } },
});

async function guess(scene: Scene, answers: Tally): Promise<void> {
  for (let attempt = 0; !scene.isOver(); attempt += 1) {
    for (const make of [passwordGuess, keyGuess]) {
      const { call, asking } = make(scene, `guess ${attempt}`);
      answers.add((await askFrom(scene, VENUE, call, asking)).status);
    }
    await delay(2);
  }
}

const SCANS_A_SECOND = 8;

/** Checks in one guest after the other, from the network of the guesser. */
async function scanAll(scene: Scene, answers: Tally): Promise<void> {
  for (const code of scene.codes) {
    answers.add((await askFrom(scene, VENUE, 'POST tickets:/qr', { body: code })).status);
    await delay(1000 / SCANS_A_SECOND);
  }
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const seconds = isShort ? 3 : 60;
  const settings = { MARQUEE_TRUST_PROXY: 'loopback', MARQUEE_QR_API_KEY: CHECK_IN_KEY };
  return withSite({ kind, postgresUrl, settings, hasLimits: true, isPatient: isShort }, async (site) => {
    const scene = await setUp(site, seconds);
    const { answers } = scene;
    await Promise.all([
      ...Array.from({ length: 4 }, () => takeAll(scene, answers.greedy)),
      visit(scene, answers.visitors),
      guess(scene, answers.guesser),
      scanAll(scene, answers.scanner),
    ]);
    const taken = await takenBy(site, GREEDY);
    const problems = [
      ...wrongStatuses('the greedy address', answers.greedy, [200, 201, 429]),
      ...wrongStatuses('visitors', answers.visitors, [200, 201]),
      ...wrongStatuses('the scanner', answers.scanner, [201]),
      ...wrongStatuses('the guesser', answers.guesser, [400, 403, 429]),
      ...(await findTooMuch(scene, answers, taken)),
      ...(await aftermath(site)),
    ];
    return {
      did: `${seconds} s at the preset limits: one address takes what it can get, visitors buy, one in the network of the scanner guesses`,
      figures: {
        ...Object.fromEntries(Object.entries(answers).map(([who, tally]) => [`${who}:`, String(tally)])),
        'taken by the greedy address': `${taken.places} of ${CAPACITY} places in ${taken.orders} orders and in carts`,
        'keys kept': taken.keys,
      },
      problems,
    };
  });
}

const wrongStatuses = (who: string, answers: Tally, right: readonly number[]): string[] =>
  answers.entries
    .filter(([status]) => !right.includes(Number(status)))
    .map(([status, count]) => `${count} responses to ${who} were ${status}`);

interface Taken {
  places: number;
  orders: number;
  /** Keys of all visitors. */
  keys: number;
}

async function takenBy({ db }: Site, network: string): Promise<Taken> {
  const { rows } = await sql<Record<keyof Taken, number>>`SELECT
    (SELECT coalesce(sum(quantity), 0) FROM cart_items WHERE network = ${network})
      + (SELECT coalesce(sum(quantity), 0) FROM order_items AS i JOIN orders AS o ON o.id = i.order_id
        WHERE o.network = ${network} AND o.status = 'pending') AS places,
    (SELECT count(*) FROM orders WHERE network = ${network} AND status = 'pending') AS orders,
    (SELECT count(*) FROM idempotency_keys) AS keys`.execute(db.query);
  const [{ places, orders, keys } = { places: 0, orders: 0, keys: 0 }] = rows;
  return { places: Number(places), orders: Number(orders), keys: Number(keys) };
}

/** Violations of the limits, and limits that were not reached. */
async function findTooMuch(
  scene: Scene,
  { greedy, guesser }: Record<'greedy' | 'guesser', Tally>,
  { places, orders, keys }: Taken,
): Promise<string[]> {
  // A window of a minute may begin and end within the part.
  const mostKeys = 2 * (DEFAULTS.cartWrites + DEFAULTS.checkouts);
  const problems = [
    ...(places > DEFAULTS.places || orders > DEFAULTS.openOrders ? [`it took ${places} places, ${orders} orders`] : []),
    ...(keys > mostKeys ? [`${keys} keys of visitors are kept`] : []),
    ...(greedy.of(429) === 0 ? ['the greedy address was never refused'] : []),
  ];
  for (const [what, status, right] of [
    ['passwords', 403, passwordGuess(scene, PASSWORD)],
    ['keys', 400, keyGuess(scene, CHECK_IN_KEY)],
  ] as const) {
    if (guesser.of(status) > DEFAULTS.guesses) problems.push(`${guesser.of(status)} ${what} were tried`);
    const answer = await askFrom(scene, VENUE, right.call, right.asking);
    if (answer.status !== 429) problems.push(`the right one of the ${what} got ${answer.status}`);
  }
  return problems;
}

export const limits: Part = {
  name: 'limits',
  about: 'The preset limits: one address cannot take the hall nor guess a secret, and others do not notice.',
  databases: DATABASES,
  usual: 'postgres',
  run,
};
