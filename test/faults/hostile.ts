import { HOSTILE_PATTERNS } from '../hostile-patterns.ts';
import { ADMIN, DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { SOME } from './hostile-requests.ts';
import { hostileText, MAX_BLOCKED } from './hostile-text.ts';
import { milliseconds, type Part, type Setup } from './part.ts';
import { memoryOf, withSite } from './site.ts';

/** For the short form: a query of full length and a small body; quadratic time shows even on a busy machine. */
const SHORT = { query: 2000, body: 16 * 1024 };

/** On PostgreSQL a third of the requests: the same code reads the texts, and all would take too long. */
async function run({ kind, postgresUrl, isShort }: Setup) {
  return withSite({ kind, postgresUrl, settings: { MARQUEE_SECRET_GUESSES: '0,0' } }, async (site) => {
    const [user = '', password = ''] = ADMIN.split(':');
    const target = { address: site.addresses[0] ?? '', user, password };
    const every = (nth: number) => {
      let count = 0;
      return { only: () => count++ % nth === 0, ...(isShort && { sizes: SHORT }) };
    };
    // Compiled code takes memory once, and V8 does not return the heap that long texts needed.
    await hostileText(target, every(isShort ? 400 : 25));
    const memoryBefore = memoryOf(site);
    const share = kind === 'postgres' ? every(3) : {};
    const { requests, slowest, slow, faults } = await hostileText(target, isShort ? every(200) : share);
    const blocked = isShort ? [] : slow.map(({ ms, what }) => `${what} kept others waiting for ${milliseconds(ms)}`);
    return {
      did: `${SOME} and more of ${HOSTILE_PATTERNS.length} patterns to every parameter, at the length of a query and of a body: ${requests} requests`,
      figures: { slowest: `${milliseconds(slowest.ms)} (${slowest.what})`, allowed: milliseconds(MAX_BLOCKED) },
      problems: [...faults, ...blocked, ...(await aftermath(site, { memoryBefore }))],
    };
  });
}

export const hostile: Part = {
  name: 'hostile-text',
  about: 'Text that is slow to read, to every parameter: others are kept waiting 200 ms at most on a quiet machine.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
