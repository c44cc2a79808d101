import { withPresentChoices } from '../../base/site-config.ts';
import { Urls } from '../../http/core/urls.ts';
import { ensureAdministrator } from '../../platform/users/sign-in/first-administrator.ts';
import { CommandError, command } from './command.ts';

const DEFAULT_SEED = 1;
/** Largest share of events that are in series. */
const MOST_IN_SERIES = 0.25;

function wholeNumber(name: string, value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw new CommandError(`--${name} must be a whole number, not "${value}".`);
}

export const demoCommand = command({
  name: 'demo',
  summary: 'Fills an empty calendar with a year of sample events, tickets and attendees.',
  words: [],
  options: {
    events: { value: 'NUMBER', about: 'Maximum number of events; about 300 by default.' },
    seed: { value: 'NUMBER', about: 'Each number gives a different programme; 1 by default.' },
  },
  notes:
    'Venues, organizers, categories, tags, posters, tickets, orders and attendees come with the events; the first\n' +
    'administrator is their author. No mail is sent: all addresses end in .example.\n' +
    'The calendar must be empty, except for venues.',
  async work({ context, options, print }) {
    // Loaded on demand: the CLI imports this file for every command, but only this one needs the programme.
    const [
      { endpointOf },
      { administratorContext },
      { createDemo, NotEmptyError },
      { programme, weeklySeries },
      { CITY_ZONE },
    ] = await Promise.all([
      import('../../app.ts'),
      import('../../platform/users/in-process-context.ts'),
      import('../../demo/fill.ts'),
      import('../../demo/programme.ts'),
      import('../../demo/city.ts'),
    ]);
    const most = wholeNumber('events', options.events);
    const seed = wholeNumber('seed', options.seed) ?? DEFAULT_SEED;
    await ensureAdministrator(context, print);
    const ctx = await administratorContext(context, endpointOf);
    const series = weeklySeries(ctx.now);
    const inSeries = series.reduce((sum, { count }) => sum + count, 0);
    // A small programme has only single events.
    const hasSeries = most === undefined || inSeries <= most * MOST_IN_SERIES;
    const planned = programme({ now: ctx.now, seed, most: hasSeries && most !== undefined ? most - inSeries : most });
    const plan = { planned, weekly: hasSeries ? series : [], seed, isCity: true };
    const made = await createDemo(ctx, plan).catch((error: unknown) => {
      throw error instanceof NotEmptyError ? new CommandError(error.message) : error;
    });
    const { config } = await withPresentChoices(context);
    const address = config.url ?? `http://localhost:${config.port}`;
    print(
      Object.entries(made)
        .map(([what, count]) => `${count} ${what}`)
        .join(', '),
    );
    print('Once the server runs (npx marquee serve), look at:');
    print(`  ${address}/`);
    print(`  ${new Urls(address).rest('events', '/events?per_page=20')}`);
    print(`  ${new Urls(address).rest('tickets', '/tickets?per_page=20')}`);
    print(`  ${address}/docs`);
    if (config.timezone !== CITY_ZONE)
      print(`The events take place in ${CITY_ZONE}: MARQUEE_TIMEZONE=${CITY_ZONE} makes it the time zone of the site.`);
  },
});
