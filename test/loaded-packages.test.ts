import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MarqueeProcess, nodeProcess, serveProcess } from './marquee-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const RECORDER = fileURLToPath(new URL('./package-recorder.mjs', import.meta.url));
const CLI = join(import.meta.dirname, '../src/cli.ts');
/** Every start waits for this code, which is not reviewed here. */
const MAX_PACKAGES = 15;

const admin = 'admin:correct-horse';
let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('packages');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stop(server: MarqueeProcess): Promise<void> {
  server.signal('SIGTERM');
  await server.ended;
}

/** Writes an event as the console does: reads need no parser for paragraphs with simple markup. */
async function makeEvent(settings: Record<string, string>): Promise<void> {
  const server = serveProcess(settings);
  const body = {
    ...{ title: 'Lantern Night', description: '<p>Music and <b>light</b></p>' },
    ...{ start_date: 'tomorrow 18:00', end_date: 'tomorrow 20:00', venue: { venue: 'Harbour Hall' } },
  };
  const made = await fetch(`${await server.address}/calendar/events/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(admin)}` },
    body: JSON.stringify(body),
  });
  expect(made.status).toBe(201);
  await stop(server);
}

it(`a plain site is read with at most ${MAX_PACKAGES} packages`, async () => {
  const settings = {
    ...{ MARQUEE_DATA: folder, MARQUEE_ADMIN: admin },
    // Loaded by the first payment.
    ...{ MARQUEE_STRIPE_KEY: 'sk_test_51abcDEF', MARQUEE_STRIPE_WEBHOOK_SECRET: 'whsec_51abcDEF' },
    // Loaded by the first mail.
    ...{ MARQUEE_SMTP_URL: 'smtp://127.0.0.1:9', MARQUEE_URL: 'http://127.0.0.1' },
  };
  await makeEvent(settings);
  const list = join(folder, 'packages.txt');
  const server = nodeProcess(['--import', RECORDER, CLI, 'serve'], { ...settings, LOADED_PACKAGES: list });
  const address = await server.address;
  for (const path of ['/', '/events/', '/event/lantern-night/', '/calendar/events/v1/events?per_page=5', '/console/'])
    expect({ path, status: (await fetch(address + path)).status }).toEqual({ path, status: 200 });
  await stop(server);
  const packages = (await readFile(list, 'utf8')).split('\n');
  expect(packages).toContain('kysely');
  for (const late of ['rrule-temporal', 'stripe', 'nodemailer', 'uqr', 'pdfkit', 'passkit-generator'])
    expect(packages).not.toContain(late);
  expect(packages.length, packages.join(', ')).toBeLessThanOrEqual(MAX_PACKAGES);
});
