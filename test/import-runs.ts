import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll } from 'vitest';
import { endpointOf } from '../src/app.ts';
import { importJob } from '../src/moving/runs/run-job.ts';
import type { JobRun } from '../src/platform/jobs/job.ts';
import { runJobs } from './jobs.ts';
import { ADMIN_HEADER, type Answer, type TestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Imports through the interface. */

/** Gives the tests of a file their own folder of temporary files; returns what imports have left there. */
export function useOwnTemporaryFiles(): () => Promise<string[]> {
  const { TMPDIR } = process.env;
  beforeAll(async () => {
    process.env.TMPDIR = await temporaryFolder('import-files');
  });
  afterAll(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  return async () => (await readdir(tmpdir())).filter((name) => name.startsWith('marquee-import-'));
}

const PIECE = 1024 * 1024;

/** Sends a part of a file. */
async function sendPart(server: TestServer, id: number, number: number | string, bytes: Uint8Array): Promise<Answer> {
  const response = await server.request(`/calendar/admin/v1/imports/${id}/parts/${number}`, {
    method: 'PUT',
    headers: { authorization: ADMIN_HEADER, 'content-type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
}

/** Uploads a file as a new import; returns its id. */
export async function uploadImport(
  server: TestServer,
  name: string,
  content: string | Uint8Array,
  choices: object = {},
): Promise<number> {
  const bytes = Buffer.from(content);
  const { id } = await server.make('POST admin:/imports', { file_name: name, size: bytes.length, ...choices });
  for (let number = 0; number * PIECE < bytes.length; number++) {
    const { status, text } = await sendPart(server, id, number, bytes.subarray(number * PIECE, (number + 1) * PIECE));
    if (status !== 200) throw new Error(text);
  }
  return id;
}

/** Runs the background jobs of imports. */
export const workOnImports = (server: TestServer): Promise<void> => runJobs(server.context, [importJob(endpointOf)]);

/** One attempt at the job, which ends where `heartbeat` throws. */
const attemptImports = (server: TestServer, heartbeat: JobRun['heartbeat']): Promise<unknown> =>
  importJob(endpointOf).work(server.context, {}, { id: 0, heartbeat });

export const readImport = async (server: TestServer, id: number): Promise<Answer['body']> =>
  (await server.ask(`GET admin:/imports/${id}`, { as: 'administrator' })).body;

/** Plans, starts and runs an import; returns it. */
async function runImport(server: TestServer, id: number): Promise<Answer['body']> {
  await workOnImports(server);
  await server.make(`POST admin:/imports/${id}/start`, {});
  await workOnImports(server);
  return readImport(server, id);
}

/** The same with the server of a test, and calls of an administrator. */
export const importsOf = (server: () => TestServer) => ({
  ask: (call: string, body?: unknown, query?: Record<string, string | number>): Promise<Answer> =>
    server().ask(call, { as: 'administrator', ...(body !== undefined && { body }), ...(query && { query }) }),
  send: (id: number, number: number | string, bytes: Uint8Array) => sendPart(server(), id, number, bytes),
  upload: (name: string, content: string | Uint8Array, choices: object = {}) =>
    uploadImport(server(), name, content, choices),
  work: () => workOnImports(server()),
  attempt: (heartbeat: JobRun['heartbeat']) => attemptImports(server(), heartbeat),
  read: (id: number) => readImport(server(), id),
  run: (id: number) => runImport(server(), id),
});
