import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Context } from '../../base/context.ts';
import { type Ask, differenceAt, readAddress } from '../../moving/addresses/check-addresses.ts';
import { caddyRules, nginxRules } from '../../moving/addresses/proxy-rules.ts';
import { findRedirects, type Redirects } from '../../moving/addresses/redirects.ts';
import { type Command, CommandError, command } from './command.ts';

/** Addresses of imported sites. */

/** Sends requests to this site without a connection, as a visitor. */
async function askHere(context: Context): Promise<Ask> {
  const { createApp } = await import('../../app.ts');
  const app = createApp(context);
  return async (path) => {
    const response = await app.request(path, { redirect: 'manual' });
    return resultOf(response, context.config.url ?? 'http://localhost');
  };
}

/** Status and redirect of a response. Addresses of the site itself become paths. */
async function resultOf(response: Response, site: string): ReturnType<Ask> {
  await response.body?.cancel();
  const location = response.headers.get('location');
  const isOwn = location !== null && (location === site || location.startsWith(`${site}/`));
  return { status: response.status, location: isOwn ? location.slice(site.length) || '/' : location };
}

const TIMEOUT_MS = 30_000;

/** Sends requests to a running site, through its proxy. @throws {CommandError} */
function askAt(address: string): Ask {
  const site = URL.parse(address);
  if (!site || !/^https?:$/.test(site.protocol)) throw new CommandError(`"${address}" is not a web address.`);
  return async (path) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${site.origin}${path}`, { redirect: 'manual', signal }).catch(() => {
      throw new CommandError(`The site does not respond: ${site.origin}${path}`);
    });
    return resultOf(response, site.origin);
  };
}

const importRedirects = command({
  name: 'import redirects',
  summary: 'Prints rules for a proxy, for addresses of imported sites that lead elsewhere here.',
  words: [],
  options: {
    nginx: { about: 'For nginx: a file to include in the server block.' },
    caddy: { about: 'For Caddy: a file to import in the block of the site.' },
    pages: { value: 'ADDRESS', about: 'Where the pages and articles of the old site are now.' },
    folder: { value: 'FOLDER', about: 'Folder of the proxy with a copy of wp-content, for files other than images.' },
  },
  notes: 'Pages that this site serves itself are left out. docs/moving.md has the details.',
  async work({ context, options: { nginx, caddy, pages: old, folder }, print }) {
    if ((nginx === true) === (caddy === true)) throw new CommandError('Name one of --nginx and --caddy.');
    const base = typeof old === 'string' ? URL.parse(old) : undefined;
    if (base === null || (base && !/^https?:$/.test(base.protocol)))
      throw new CommandError('--pages takes a web address, such as https://archive.example.');
    if (typeof folder === 'string' && /[\p{Cc}$"\\]/u.test(folder))
      throw new CommandError('--folder takes a path without quotes, backslashes and "$".');
    const found = await findRedirects(context.db);
    const ask = await askHere(context);
    const pages: string[] = [];
    for (const path of found.pages) if ((await ask(encodeURI(path))).status >= 400) pages.push(path);
    // An earlier address may now belong to another record.
    const moved: Redirects['moved'][number][] = [];
    for (const move of found.moved) if ((await ask(encodeURI(move.from))).status !== 200) moved.push(move);
    const rules = { ...found, pages, moved };
    const places = {
      ...(base && { pages: base.href.replace(/(?<!\/)\/+$/, '') }),
      ...(typeof folder === 'string' && { folder }),
    };
    for (const line of nginx === true ? nginxRules(rules, places) : caddyRules(rules, places)) print(line);
  },
});

const importAddresses = command({
  name: 'import addresses',
  summary: 'Requests addresses of an old site, and lists those that respond differently than before.',
  words: ['FILE'],
  options: {
    at: { value: 'ADDRESS', about: 'Site to send the requests to, with its proxy; by default, this site without one.' },
  },
  notes:
    'Each line of the file has an address and, after a space, its former status; without one, the address worked.\n' +
    'Exits with status 1 if any responds differently, which includes more than one redirect.',
  async work({ context, words: [file = ''], options, print }) {
    const ask = typeof options.at === 'string' ? askAt(options.at) : await askHere(context);
    const [count, differences] = await compare(file, { ask, print });
    print(`Addresses requested: ${count}.`);
    if (differences > 0) throw new CommandError(`Addresses that respond differently: ${differences}.`);
    print('All respond as before.');
  },
});

/** @throws {CommandError} */
async function compare(
  file: string,
  { ask, print }: { ask: Ask; print: (line: string) => void },
): Promise<[count: number, differences: number]> {
  let [count, differences] = [0, 0];
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const address = readAddress(line);
      if (!address) continue;
      count += 1;
      const difference = await differenceAt(address, ask);
      if (difference === undefined) continue;
      differences += 1;
      print(`${address.path}: ${difference}`);
    }
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new CommandError(`The file "${file}" cannot be read.`) : error;
  }
  if (count === 0) throw new CommandError(`The file "${file}" has no addresses.`);
  return [count, differences];
}

export const addressCommands: readonly Command[] = [importRedirects, importAddresses];
