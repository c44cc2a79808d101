import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { upload } from '../fixtures.ts';
import { attend, checkout, hold, openEvent, openTicket } from '../race-actions.ts';
import { ADMIN_HEADER } from '../server.ts';
import type { RaceAnswer } from '../two-servers.ts';
import { Ledger } from './ledger.ts';
import { Tally } from './part.ts';
import type { Site } from './site.ts';

/** Concurrent reads and writes of every kind by many clients, with a ledger of what was acknowledged. */

export interface Load {
  ledger: Ledger;
  /** Responses by status; `none` for requests without a response. */
  answers: Tally;
  /** Durations of reads with a response, in milliseconds. */
  readTimes: number[];
  /** The first error of each kind. */
  errors: Map<string, string>;
  /** Waits for this many more responses, at most 30 seconds. */
  untilAnswers(count: number): Promise<void>;
  /** Waits for the requests in flight. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  callers?: number;
  /** Seats of the ticket that all clients buy. */
  capacity?: number;
  /** Ledger of an earlier load on the same site. */
  ledger?: Ledger;
}

interface World {
  site: Site;
  load: Load;
  ticketId: number;
  picture: Blob;
  /** Events of one client, which no other client changes. */
  own: { id: number; title: string }[];
  /** An event that all clients have, and those of this one. */
  pictures: number[];
}

/** Pause after a request without a response, so that a server that is down is not flooded. */
const PAUSE = 20;
const UNTIL = 30_000;

export async function startLoad(site: Site, options: LoadOptions = {}): Promise<Load> {
  const { callers = 32, capacity = 100_000, ledger = new Ledger() } = options;
  const load: Load = {
    ...{ ledger, answers: new Tally(), readTimes: [], errors: new Map() },
    untilAnswers: async (count) => {
      const goal = answered(load) + count;
      const until = performance.now() + UNTIL;
      while (answered(load) < goal) {
        if (performance.now() > until) throw new Error(`fewer than ${count} responses in ${UNTIL / 1000} s`);
        await delay(5);
      }
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(all);
    },
  };
  let isRunning = true;
  const ticketId = await openTicket(site, await openEvent(site), { mode: 'own', capacity });
  ledger.made('tickets', ticketId);
  const picture = await pictureOf();
  const pictures: number[] = [];
  await act({ site, load, ticketId, picture, own: [], pictures }, ACTIONS.indexOf(uploadPicture));
  const all = Array.from({ length: callers }, async (_, caller) => {
    const world: World = { site, load, ticketId, picture, own: [], pictures: [...pictures] };
    for (let turn = caller; isRunning; turn += 1) await act(world, turn);
  });
  return load;
}

const answered = ({ answers }: Load) => answers.total - answers.of('none');

async function pictureOf(): Promise<Blob> {
  const image = sharp({ create: { width: 24, height: 24, channels: 3, background: { r: 200, g: 40, b: 90 } } });
  return new Blob([new Uint8Array(await image.png().toBuffer())]);
}

async function act(world: World, turn: number): Promise<void> {
  const action = ACTIONS[turn % ACTIONS.length] ?? readList;
  try {
    await action(world, turn);
  } catch (error) {
    world.load.answers.add('none');
    note(world.load, action.name, error instanceof Error ? error.message : String(error));
    await delay(PAUSE);
  }
}

const note = ({ errors }: Load, what: string, text: string): void => {
  if (!errors.has(what) && errors.size < 20) errors.set(what, text.slice(0, 300));
};

/** Counts a response; returns whether it has the status. */
function is(status: number, { load }: World, answer: RaceAnswer): boolean {
  load.answers.add(answer.status);
  if (answer.status >= 500) note(load, String(answer.status), JSON.stringify(answer.body));
  return answer.status === status;
}

async function readList(world: World): Promise<void> {
  const sent = performance.now();
  is(200, world, await world.site.ask('GET events:/events', { anonymous: true }));
  world.load.readTimes.push(performance.now() - sent);
}

async function readOne(world: World): Promise<void> {
  const event = world.own.at(-1);
  if (event) is(200, world, await world.site.ask(`GET events:/events/${event.id}`, { anonymous: true }));
}

async function makeEvent(world: World, turn: number): Promise<void> {
  const title = `Evening ${turn}-${world.own.length}`;
  const body = {
    ...{ title, start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' },
    ...{ venue: { venue: `Hall ${turn % 7}` }, organizer: { organizer: `Club ${turn % 5}` } },
    ...{ categories: [`Kind ${turn % 3}`], tags: [`Word ${turn % 4}`] },
  };
  const answer = await world.site.ask('POST events:/events', { body });
  if (!is(201, world, answer)) return;
  world.load.ledger.made('events', answer.body.id);
  world.load.ledger.isCalled(answer.body.id, title);
  world.own.push({ id: answer.body.id, title });
}

async function translate(world: World, turn: number): Promise<void> {
  const event = world.own.at(-1);
  if (!event) return;
  const body = { title: `Soirée ${turn}`, i18n_language: 'fr' };
  if (is(200, world, await world.site.ask(`POST events:/events/${event.id}`, { body })))
    world.load.ledger.acknowledged += 1;
}

async function rename(world: World, turn: number): Promise<void> {
  const { ledger } = world.load;
  const event = world.own.at(-1);
  if (!event) return;
  const title = `Renamed ${turn}`;
  ledger.mayBeCalled(event.id, title);
  if (!is(200, world, await world.site.ask(`POST events:/events/${event.id}`, { body: { title } }))) return;
  ledger.isCalled(event.id, title, event.title === title ? undefined : event.title);
  event.title = title;
}

async function remove(world: World): Promise<void> {
  const event = world.own.length > 3 ? world.own.shift() : undefined;
  if (!event) return;
  world.load.ledger.mayBeRemoved(event.id);
  if (is(200, world, await world.site.ask(`DELETE events:/events/${event.id}?force=true`)))
    world.load.ledger.isRemoved(event.id);
}

async function uploadPicture(world: World, turn: number): Promise<void> {
  const answer = await sendPicture(world, turn, { path: '/media', status: 201 });
  if (!answer) return;
  world.load.ledger.made('media', answer.body.id);
  world.pictures.push(answer.body.id);
}

async function replacePicture(world: World, turn: number): Promise<void> {
  const id = world.pictures.at(-1);
  if (id === undefined) return;
  if (await sendPicture(world, turn, { path: `/media/${id}/file`, status: 200 })) world.load.ledger.acknowledged += 1;
}

/** Undefined without success, which may leave the new file or the one that it was to replace. */
async function sendPicture(
  world: World,
  turn: number,
  { path, status }: { path: string; status: number },
): Promise<RaceAnswer | undefined> {
  const { addresses } = world.site;
  world.load.ledger.filesInDoubt += 1;
  const form = upload(new Uint8Array(await world.picture.arrayBuffer()), `picture-${turn}.png`);
  const response = await fetch(`${addresses[turn % addresses.length]}/calendar/admin/v1${path}`, {
    ...{ method: 'POST', body: form, headers: { authorization: ADMIN_HEADER } },
    signal: AbortSignal.timeout(UNTIL),
  });
  const answer = { status: response.status, body: JSON.parse(await response.text()), headers: {} };
  if (!is(status, world, answer)) return undefined;
  world.load.ledger.filesInDoubt -= 1;
  return answer;
}

async function attendEvent(world: World, turn: number): Promise<void> {
  const answer = await attend(world.site, world.ticketId, turn);
  if (is(201, world, answer)) world.load.ledger.made('attendees', answer.body.id);
}

async function buy(world: World): Promise<void> {
  const held = await hold(world.site, world.ticketId);
  if (!is(200, world, held)) return;
  const { ledger } = world.load;
  ledger.acknowledged += 1;
  const bought = await checkout(world.site, held);
  if (!is(201, world, bought)) return;
  ledger.made('attendees', ...bought.body.attendees.map(({ id }: { id: number }) => id));
  ledger.made('orders', bought.body.order.id);
}

async function leaveCart(world: World): Promise<void> {
  if (is(200, world, await hold(world.site, world.ticketId))) world.load.ledger.acknowledged += 1;
}

/** Steps of a client, in turn, each starting at another one: half reads, and writes of every kind. */
const ACTIONS = [
  ...[readList, makeEvent, replacePicture, attendEvent, readList, buy, readOne, rename, readList, translate],
  ...[readList, buy, readOne, makeEvent, readList, uploadPicture, leaveCart, remove, readOne, attendEvent, readList],
];
