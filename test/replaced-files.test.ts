import { watch } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ListeningProcess, startListening } from './faults/listening-process.ts';
import { png, upload } from './fixtures.ts';
import { ADMIN_HEADER, databaseOfProcesses } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A real process, killed while it replaces the file of an image. */

const headers = { authorization: ADMIN_HEADER };
const MEDIA = '/calendar/admin/v1/media';

let settings: Record<string, string> & { MARQUEE_DATA: string };
let server: ListeningProcess;
beforeAll(async () => {
  settings = { MARQUEE_DATA: await temporaryFolder('replaced') };
  await databaseOfProcesses('sqlite', settings.MARQUEE_DATA);
  server = await startListening(settings);
});
afterAll(async () => {
  server.signal('SIGKILL');
  await server.ended;
  await rm(settings.MARQUEE_DATA, { recursive: true, force: true });
});

const send = async (path: string, width: number): Promise<Response> =>
  fetch(server.origin + path, { method: 'POST', headers, body: upload(await png(width, 600)) });
const readImage = async (id: number) => {
  const image = await (await fetch(`${server.origin}${MEDIA}/${id}`, { headers })).json();
  return image as { id: number; url: string; width: number; sizes: Record<string, { url: string }> };
};

/** Where the files of uploads are, all of the same month. */
async function uploads(): Promise<string> {
  const folder = join(settings.MARQUEE_DATA, 'uploads');
  const paths = await readdir(folder, { recursive: true });
  return join(folder, dirname(paths.find((path) => path.endsWith('.png')) ?? ''));
}

/** Kills the server as soon as a number of files have come to or gone from the folder of uploads. */
async function killAfterChanges(changes: number): Promise<void> {
  const watcher = watch(await uploads());
  let seen = 0;
  watcher.on('change', (event) => {
    if (event !== 'rename') return;
    seen += 1;
    if (seen === changes) server.signal('SIGKILL');
  });
  await server.ended;
  watcher.close();
}

/** An image of this size has its own file and four renditions. */
const FILES = 5;

it.each([
  ['all of its new files are written', FILES],
  ['the first of its old files is removed', FILES + 1],
])('an image whose replacement is killed when %s is served at its old and its new address', async (_when, changes) => {
  const { id } = (await (await send(MEDIA, 1200)).json()) as { id: number };
  const before = await readImage(id);
  const killed = killAfterChanges(changes);
  const answer = send(`${MEDIA}/${id}/file`, 1300).catch(() => undefined);
  await killed;
  await answer;
  server = await startListening(settings);
  const after = await readImage(id);
  const addresses = [before, after].flatMap(({ url, sizes }) => [url, ...Object.values(sizes).map((size) => size.url)]);
  const served = addresses.map(async (address) => {
    const { status, headers: sent } = await fetch(server.origin + new URL(address).pathname);
    return [address, status, sent.get('content-type')];
  });
  expect(await Promise.all(served)).toEqual(addresses.map((address) => [address, 200, 'image/png']));
  expect(addresses).toHaveLength(2 * FILES);
});
