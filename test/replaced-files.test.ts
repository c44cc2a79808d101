import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ListeningProcess, startListening } from './faults/listening-process.ts';
import { png, upload } from './fixtures.ts';
import { commandProcess } from './marquee-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A real process, killed while it replaces the file of an image. */

const ADMIN = 'admin:process-password';
const headers = { authorization: `Basic ${Buffer.from(ADMIN).toString('base64')}` };
const MEDIA = '/calendar/admin/v1/media';

let settings: Record<string, string> & { MARQUEE_DATA: string };
let server: ListeningProcess;
beforeAll(async () => {
  settings = { MARQUEE_DATA: await temporaryFolder('replaced'), MARQUEE_ADMIN: ADMIN };
  server = await startListening(settings);
});
afterAll(async () => {
  server.signal('SIGKILL');
  await server.ended;
  await rm(settings.MARQUEE_DATA, { recursive: true, force: true });
});

const send = async (path: string, width: number): Promise<Response> =>
  fetch(server.origin + path, { method: 'POST', headers, body: upload(await png(width, 600), 'poster.png') });
