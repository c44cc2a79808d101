import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

// The environment decides nothing, as at a first start.
const { server, open } = useConsole({ given: {}, timezone: 'UTC', languages: ['en', 'fr'] });

/** What the console is opened with by the link that the first start prints, for a new administrator. */
async function setUpHash(username: string): Promise<string> {
  const account = { username, email: `${username}@example.test`, role: 'administrator' };
  const { sign_in_link } = await server().make('POST admin:/users', account);
  return new URL(sign_in_link.url).hash.replace('#sign-in=', '#setup=');
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, exact: true });

const MOST_CLICKS = 12;

it('leads from the link of the first start to a published event with tickets, in few clicks', async () => {
  const hash = await setUpHash('first');
  await open(
    undefined,
    `/${hash}`,
    async (page) => {
      let clicks = 0;
      const click = async (target: Locator) => {
        clicks++;
        await target.click();
      };
      const start = performance.now();
      await click(button(page, 'Go on'));
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
      await page.getByRole('link', { name: 'See the public page' }).waitFor();
    },
    { viewport: DESKTOP, timezoneId: 'Europe/Paris' },
  );
  expect((await server().ask('GET admin:/site')).body).toMatchObject({ timezone: 'Europe/Paris', currency: 'USD' });
  const { body } = await server().ask('GET /events?search=Opening');
  expect(body.events).toMatchObject([{ title: 'Opening night', status: 'publish' }]);
  const shown = await (await server().request(new URL(body.events[0].url).pathname)).text();
  for (const text of ['Opening night', '$12.00', 'Add to cart']) expect(shown).toContain(text);
});

it('is skipped through by keyboard on a phone, and a spent link says how to get another', async () => {
  const hash = await setUpHash('second');
  await open(
    undefined,
    `/${hash}`,
    async (page) => {
      await button(page, 'Go on').waitFor();
      await page.keyboard.press('Enter');
      for (const title of [
        'Choose your password',
        'Name your site',
        'Add your first venue',
        'Create your first event',
      ]) {
        await heading(page, title).waitFor();
        await button(page, 'Skip').press('Enter');
      }
      await heading(page, 'Your calendar is ready').waitFor();
      await page.locator('h2:focus').waitFor();
      await expectAccessible(page);
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
  await open(
    undefined,
    `/${hash}`,
    async (page) => {
      await button(page, 'Go on').press('Enter');
      await page.getByText('npx marquee user sign-in-link admin').waitFor();
    },
    { viewport: PHONE },
  );
});
