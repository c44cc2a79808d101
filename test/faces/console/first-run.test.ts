import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from '../../browser.ts';
import { serveProcess } from '../../marquee-process.ts';
import { freePort } from '../../postgres-server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, focusByTab } from './console.ts';
import { undocumentedIn } from './documented.ts';

const MOST_CLICKS = 12;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
}, 120_000);

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });

interface FirstSite {
  /** As it was printed. */
  link: string;
  /** Response to a visitor. */
  open(path: string): Promise<Response>;
}

/** Starts a server for the first time, and opens the link that it prints. */
async function firstRun(
  options: BrowserContextOptions,
  visit: (page: Page, site: FirstSite) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const server = serveProcess({ MARQUEE_DATA: await temporaryFolder('first-run'), MARQUEE_PORT: `${port}` });
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  try {
    const address = await server.address;
    const [link = ''] = /http\S+#setup=\S+/.exec(server.output().join('\n')) ?? [];
    const undocumented: string[] = [];
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('pageerror', ({ message }) => void complaints.push(message));
    page.on('request', (request) => void undocumented.push(...undocumentedIn(request)));
    await page.goto(link);
    await visit(page, { link, open: (path) => fetch(new URL(path, address)) });
    // Before the sign-in, the request for the own account is refused.
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
    expect(undocumented).toEqual([]);
  } finally {
    await context.close();
    server.signal('SIGTERM');
    await server.ended;
  }
}

/** Expects that visitors find the event of a first run, with its ticket. */
async function expectPublished(open: FirstSite['open']): Promise<void> {
  const list = await open('/calendar/events/v1/events?search=Opening&start_date=2027-01-01');
  const { events } = (await list.json()) as { events: { url: string; status: string; timezone: string }[] };
  expect(events).toMatchObject([{ title: 'Opening night', status: 'publish', timezone: 'Europe/Paris' }]);
  const shown = await (await open(new URL(events[0]?.url ?? '').pathname)).text();
  for (const text of ['Opening night', '$12.00', 'Add to cart']) expect(shown).toContain(text);
}

it('leads from the printed link to a published event with tickets, in few clicks', async () => {
  await firstRun({ viewport: DESKTOP, timezoneId: 'Europe/Paris' }, async (page, { open }) => {
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks++;
      await target.click();
    };
    const start = performance.now();
    await click(button(page, 'Continue'));
    await page.getByLabel('New password').fill('a long enough password');
    await expectAccessible(page);
    await click(button(page, 'Set password'));
    await page.getByLabel('Name of the site').fill('Harbour <b>Hall</b>');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Paris');
    await expectAccessible(page);
    await click(button(page, 'Save'));
    await heading(page, 'Add your first venue').waitFor();
    await page.reload();
    await page.getByLabel('Name of the venue').fill('Great Hall');
    await click(button(page, 'Add venue'));
    await button(page, 'Create an event').waitFor();
    // Going back changes the venue that was just made.
    await page.goBack();
    expect(await page.getByLabel('Name of the venue').inputValue()).toBe('Great Hall');
    await page.getByLabel('City').fill('Le Havre');
    await click(button(page, 'Add venue'));
    await click(button(page, 'Create an event'));
    await page.getByLabel('Title').fill('Opening night');
    await page.getByLabel('Day', { exact: true }).fill('2027-03-06');
    await click(page.getByText('Tickets with a price'));
    await page.getByLabel(/^Price/).fill('12');
    await page.getByLabel('Places', { exact: false }).fill('50');
    await click(button(page, 'Publish event'));
    await heading(page, 'Your calendar is ready').waitFor();
    await expectAccessible(page);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`First run: ${clicks} clicks, ${seconds} s`);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    await expectPublished(open);
    const { venues } = (await (await open('/calendar/events/v1/venues')).json()) as { venues: { city: string }[] };
    expect(venues).toMatchObject([{ venue: 'Great Hall', city: 'Le Havre' }]);
  });
});

it('works by keyboard only on a phone, and a used link says how to get another', async () => {
  await firstRun({ viewport: PHONE, colorScheme: 'dark', timezoneId: 'Europe/Paris' }, async (page, { link, open }) => {
    const type = async (label: string | RegExp, text: string) => {
      await focusByTab(page, page.getByLabel(label, { exact: typeof label === 'string' }));
      await page.keyboard.type(text);
    };
    await button(page, 'Continue').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Choose your password').waitFor();
    await type('New password', 'a long enough password');
    await page.keyboard.press('Enter');
    await heading(page, 'Name your site').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Harbour Hall');
    await page.keyboard.press('Enter');
    await heading(page, 'Add your first venue').waitFor();
    await focusByTab(page, button(page, 'Skip'));
    await page.keyboard.press('Enter');
    await heading(page, 'Create your first event').waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'New event').waitFor();
    await page.keyboard.type('Opening night');
    await type('Day', '03062027');
    await focusByTab(page, page.getByRole('radio', { name: 'Free', exact: true }));
    for (const choice of ['Free, with RSVP', 'Tickets with a price']) {
      await page.keyboard.press('ArrowDown');
      await page.getByRole('radio', { name: choice, checked: true }).waitFor();
    }
    await type(/^Price/, '12');
    await type(/^Places/, '50');
    await page.keyboard.press('Control+Enter');
    await heading(page, 'Your calendar is ready').waitFor();
    await page.locator('h2:focus').waitFor();
    await expectAccessible(page);
    await expectPublished(open);
    await page.goto('about:blank');
    await page.goto(link);
    await button(page, 'Continue').press('Enter');
    await page.getByText('npx marquee user sign-in-link admin').waitFor();
  });
});

it('shows the calendar with examples, from which every link at the end leads on', async () => {
  await firstRun({ viewport: PHONE, locale: 'de-DE', timezoneId: 'Europe/Berlin' }, async (page, { open }) => {
    await button(page, 'Weiter').press('Enter');
    for (const step of [
      'Wählen Sie Ihr Passwort',
      'Geben Sie Ihrer Website einen Namen',
      'Legen Sie den ersten Ort an',
    ]) {
      await heading(page, step).waitFor();
      await button(page, 'Überspringen').press('Enter');
    }
    const offer = button(page, 'Mit Beispielen zeigen');
    await focusByTab(page, offer);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Niemand bekommt eine E-Mail').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.locator('button:focus', { hasText: 'Mit Beispielen zeigen' }).waitFor();
    await page.keyboard.press('Enter');
    await focusByTab(page, button(page, 'Beispiele anlegen'));
    // Two presses within a moment make them once.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.locator('h2:focus', { hasText: 'Ihr Kalender ist bereit' }).waitFor();
    const { total } = (await (await open('/calendar/events/v1/events')).json()) as { total: number };
    expect(total).toBeGreaterThan(30);

    const ready = page.url();
    for (const [link, there] of [
      ['Veranstaltungen auf einer anderen Website zeigen', 'Einbetten'],
      ['Teilnehmer einlassen', 'Einlass'],
      ['Zur Konsole gehen', 'Start'],
      ['Öffentliche Seite ansehen', 'Marquee'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('heading', { name: there }).first().waitFor();
      await page.goto(ready);
    }
    const asked = page.waitForResponse(/\/admin\/v1\/examples/);
    await page.goto(ready.replace('done', 'event'));
    expect(await (await asked).json()).toMatchObject({ dry_run: true, is_possible: false });
    await button(page, 'Veranstaltung anlegen').waitFor();
    expect(await offer.count()).toBe(0);
  });
});
