import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { codeOf, makeAttendee, makeSeat } from '../../attendees.ts';
import { browserOptions } from '../../browser.ts';
import { makeGate } from '../../door.ts';
import { type TestServer, useTestServer } from '../../server.ts';
import { makeEvent } from '../../tickets.ts';
import { PHONE } from '../site.ts';

/** The app at the door in a browser whose camera films a code, on a network that can be cut. */

const WIDTH = 640;
const HEIGHT = 480;

/** A film of a code, as Chromium takes it for a camera (YUV4MPEG2): dark grey modules on light grey, off the middle. */
function filmOf(text: string): Buffer {
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const light = Buffer.alloc(WIDTH * HEIGHT, 200);
  if (text !== '') {
    const { size, data } = encode(text, { ecc: 'M', border: 4 });
    const scale = Math.floor(400 / size);
    const [left, top] = [(WIDTH - size * scale) / 2 + 9, (HEIGHT - size * scale) / 2 - 5].map(Math.round);
    for (let y = 0; y < size * scale; y += 1)
      for (let x = 0; x < size * scale; x += 1)
        if (data[Math.floor(y / scale)]?.[Math.floor(x / scale)]) light[(top! + y) * WIDTH + left! + x] = 40;
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)]);
  return Buffer.concat([header, frame, frame]);
}

/** A device: a browser with its own storage, which outlives a restart. */
export interface DoorDevice {
  page: Page;
  context: BrowserContext;
  /** Complaints of the browser, but for requests that a test cut off. */
  complaints: string[];
  /** Ends the browser as when a phone dies, and starts it again. */
  restart(): Promise<void>;
}

interface Door {
  server(): TestServer;
  origin(): string;
  /** Shows a text as code to the cameras of browsers that start their camera from now on; empty for no code. */
  film(text: string): Promise<void>;
  /** Changes the responses of the server at paths, such as for another version of the app; an empty map for nothing. */
  alter(answers: Readonly<Record<string, (body: string) => string>>): void;
  /** Cuts the network of all devices, or mends it. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Starts a device. */
  start(options?: BrowserContextOptions): Promise<DoorDevice>;
}

const CUT = /ERR_|Failed to load resource|Failed to fetch/;

export function useDoor(): Door {
  const server = useTestServer('sqlite', { languages: ['en', 'fr', 'de'] });
  const open: BrowserContext[] = [];
  let folder = '';
  let film = '';
  let listening: Server | undefined;
  let port = 0;
  let altered: Parameters<Door['alter']>[0] = {};
  const listen = async () => {
    if (listening?.listening) return;
    const app = createApp(server().context);
    listening = createServer((request, response) => {
      const alter = altered[new URL(request.url ?? '', 'http://a.test').pathname];
      if (!alter) return app.receive(request, response);
      void app.request(request.url ?? '/').then(async (answer) => {
        const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-length'));
        response.writeHead(answer.status, headers).end(alter(await answer.text()));
      });
    });
    await new Promise<void>((resolve) => listening?.listen(port, '127.0.0.1', resolve));
    // A server that listens on a port has such an address.
    port = (listening.address() as AddressInfo).port;
  };
  const cut = async () => {
    listening?.closeAllConnections();
    await new Promise((resolve) => listening?.close(resolve));
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'door-'));
    film = join(folder, 'film.y4m');
    await writeFile(film, filmOf(''));
    await listen();
  });
  // Also after a test that failed without a network.
  afterEach(async () => {
    altered = {};
    await listen();
    for (const context of open.splice(0)) await context.close().catch(() => undefined);
  });
  afterAll(async () => {
    listening?.closeAllConnections();
    listening?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    server,
    origin: () => `http://127.0.0.1:${port}`,
    film: (text) => writeFile(film, filmOf(text)),
    cut,
    mend: listen,
    alter(answers) {
      altered = answers;
    },
    async start(options = {}) {
      const storage = await mkdtemp(join(folder, 'storage-'));
      const complaints: string[] = [];
      const launch = async () => {
        const camera = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];
        const context = await chromium.launchPersistentContext(storage, {
          ...(await browserOptions([...camera, `--use-file-for-fake-video-capture=${film}`])),
          ...{ baseURL: `http://127.0.0.1:${port}`, viewport: PHONE, locale: 'en-US', reducedMotion: 'reduce' },
          permissions: ['camera'],
          ...options,
        });
        open.push(context);
        await context.addInitScript(NOTE_VERDICTS);
        const page = context.pages()[0] ?? (await context.newPage());
        page.on('console', (message) => void (CUT.test(message.text()) || complaints.push(message.text())));
        page.on('pageerror', ({ message }) => void (CUT.test(message) || complaints.push(message)));
        context.on('request', (request) => {
          const url = request.url();
          if (/^https?:/.test(url) && !url.startsWith(`http://127.0.0.1:${port}`)) complaints.push(url);
        });
        return { context, page };
      };
      const device: DoorDevice = {
        ...(await launch()),
        complaints,
        async restart() {
          await device.context.close();
          Object.assign(device, await launch());
        },
      };
      return device;
    },
  };
}

/** An event that takes place now, with a gate and guests by name. */
export async function makeEvening(server: TestServer, names: readonly string[], fields: Record<string, unknown> = {}) {
  const event = await makeEvent(server, { title: 'Lantern Night' });
  const ticket = await makeSeat(server, event, 30_000, { name: 'Adult' });
  const gate = await makeGate(server, [event], fields);
  const guests: { id: number; name: string; code: string; text: string }[] = [];
  for (const name of names) {
    const { id } = await makeAttendee(server, ticket, { full_name: name });
    const { content } = (await server.ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    guests.push({ id, name, code: await codeOf(server, id), text: content });
  }
  return { event, ticket, gate, guests };
}

interface Pairing {
  gate: number;
  pin?: string;
  /** Texts of the app; in English without it. */
  t?: (key: 'pair.act' | 'pin' | 'pin.again' | 'pin.choose' | 'open') => string;
  /** Follows once a PIN is asked for. */
  onPin?: () => Promise<void>;
}

const ENGLISH = {
  ...{ 'pair.act': 'Pair', pin: 'PIN', 'pin.again': 'Repeat the PIN', 'pin.choose': 'Lock with this PIN' },
  open: 'Open the door',
};

/** Pairs a device with a gate, as the code of the console does, and opens the door once it has the list. */
export async function openDoor(
  { page }: Pick<DoorDevice, 'page'>,
  server: TestServer,
  { gate, pin, t = (key) => ENGLISH[key], onPin }: Pairing,
): Promise<void> {
  const { code } = await server.make(`POST admin:/door/gates/${gate}/pairings`, { name: 'Phone' });
  await page.goto(`/door/#pair=${code}`);
  await page.getByRole('button', { name: t('pair.act'), exact: true }).click();
  if (pin !== undefined) {
    const field = page.getByLabel(t('pin'), { exact: true });
    await field.waitFor();
    await onPin?.();
    await field.fill(pin);
    await page.getByLabel(t('pin.again')).fill(pin);
    await page.getByRole('button', { name: t('pin.choose') }).click();
  }
  await page.locator('[role="status"]', { hasText: /\d \S+ (in|dans) / }).waitFor();
  // The service worker has stored the app: it starts without a network from now on.
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.getByRole('button', { name: t('open') }).click();
}

/**
 * Runs in a page before the app: notes each verdict, for a welcome leaves by itself, perhaps before a test has looked.
 */
const NOTE_VERDICTS = `window.verdicts = []; {
  let before = '';
  new MutationObserver(() => {
    const screen = document.querySelector('.verdict');
    const text = screen?.innerText ?? '';
    if (text !== before && screen) verdicts.push({ word: screen.querySelector('h2').textContent, text });
    before = text;
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;

/**
 * Runs in a page before the app: verdicts stay until they are left, and wait for the server however slow this machine
 * is.
 */
export const PATIENT = `{ const later = setTimeout;
  window.setTimeout = (act, wait, ...values) =>
    wait === 1200 ? 0 : later(act, wait > 100 && wait <= 700 ? 30_000 : wait, ...values) }`;

/** Runs in a page: waits for a verdict that no test has asked for yet; gives the text of its screen. */
const nextVerdict = (word: string): string => `new Promise((done, fail) => {
  const late = performance.now() + 30_000;
  const look = () => {
    const at = verdicts.findIndex(({ word }) => word === ${JSON.stringify(word)});
    if (at >= 0) done(verdicts.splice(0, at + 1)[at].text);
    else if (performance.now() > late) fail(new Error('no ' + ${JSON.stringify(word)} + ' but ' + JSON.stringify(verdicts)));
    else setTimeout(look, 20);
  };
  look();
})`;

/** Waits for a verdict; returns the text of its screen. */
export const verdictOn = (page: Page, verdict: string): Promise<string> => page.evaluate<string>(nextVerdict(verdict));

/**
 * Keys of a hand scanner: requests of the test for each of them would be slower than a person. All have the same time,
 * so that a pause of a busy machine does not make a person of the scanner.
 */
export const typeFast = (text: string): string => `{
    const at = performance.now();
    for (const key of [...${JSON.stringify(text)}, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: at }));
    }
  }`;

/** Types a text as fast as a hand scanner, waits for the verdict, and goes on; returns the text of its screen. */
export async function handScan(page: Page, text: string, verdict: string): Promise<string> {
  await page.locator('.verdict').waitFor({ state: 'detached' });
  await page.evaluate(typeFast(text));
  const said = await verdictOn(page, verdict);
  await page.evaluate("document.querySelector('.verdict-acts button:last-child')?.click()");
  return said;
}

/** State of an attendee at the server. */
export async function isIn(server: TestServer, id: number): Promise<boolean> {
  return (await server.ask(`GET tickets:/attendees/${id}`, { as: 'administrator' })).body.checked_in;
}

/** Waits until something holds. */
export const until = (holds: () => Promise<boolean>): Promise<void> => expect.poll(holds).toBe(true);
