import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endpointOf, endpoints } from '../src/app.ts';
import { readConfig } from '../src/base/config.ts';
import { createDemo } from '../src/demo/fill.ts';
import { programme } from '../src/demo/programme.ts';
import { matchRoute, methodsOf, routesOf } from '../src/http/core/router.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { ensureAdministrator } from '../src/platform/users/sign-in/first-administrator.ts';
import { openContext } from '../src/server/open-context.ts';
import { serve } from '../src/server/serve.ts';

/**
 * `npm run trace -- METHOD PATH [BODY] [--public]`: prints the files of `src` of which a request enters a function, with
 * how many, on a server with sample events that has cached nothing of it. JSON in BODY is sent. The administrator asks,
 * or with `--public` a visitor. An operation of the calendar may be named as in the documentation: `POST /events` for
 * `POST /calendar/events/v1/events`. `/events/` is the page.
 */

const SRC = join(import.meta.dirname, '../src');
const EVENTS = 60;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { public: { type: 'boolean' } } });
const [method = '', path = '', body] = positionals;
if (!/^[A-Z]+$/.test(method) || !path.startsWith('/')) {
  console.error('Usage: npm run trace -- METHOD PATH [BODY] [--public]');
  process.exit(2);
}
const asked = wholePath(path);

/** The path of an operation of the calendar that is named without its namespace. The path of a page ends with a slash. */
function wholePath(path: string): string {
  const [pathname = ''] = path.split('?');
  const match = pathname.endsWith('/') ? undefined : matchRoute(routesOf(endpoints), 'events', pathname);
  return match && methodsOf(match.route).some((item) => item === method) ? `/calendar/events/v1${path}` : path;
}

const password = randomBytes(16).toString('hex');
const data = mkdtempSync(join(tmpdir(), 'marquee-trace-'));
const context = await openContext(
  readConfig({
    MARQUEE_DATA: data,
    MARQUEE_PORT: '0',
    MARQUEE_LOG_LEVEL: 'silent',
    MARQUEE_ADMIN: `admin:${password}`,
  }),
);
await ensureAdministrator(context, () => undefined);
const server = await serve(context);
const ctx = await administratorContext(context, endpointOf);
await createDemo(ctx, { planned: programme({ now: ctx.now, seed: 1, most: EVENTS }), seed: 1, isCity: true });

const authorization = `Basic ${btoa(`admin:${password}`)}`;
const ask = (address: string, init: RequestInit = {}) =>
  fetch(new URL(address, server.address), {
    ...init,
    redirect: 'manual',
    headers: { ...init.headers, ...(!values.public && { authorization }) },
  });

// Each lets the server load what it loads on demand, and checks the password.
for (const address of ['/calendar/events/v1/venues', '/venues/']) await (await ask(address)).text();

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
const response = await ask(asked, { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) });
const { byteLength } = await response.arrayBuffer();
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
await server.close();
rmSync(data, { recursive: true });

const entered = result
  .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(SRC))
  .map(({ url, functions }) => ({
    file: relative(SRC, fileURLToPath(url)),
    calls: functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
  }))
  .filter(({ calls }) => calls > 0)
  .sort((one, other) => (one.file < other.file ? -1 : 1));
for (const { file, calls } of entered) console.log(`${String(calls).padStart(7)}  ${file}`);
console.log(`${method} ${asked}: ${response.status}, ${byteLength} bytes, ${entered.length} files`);
