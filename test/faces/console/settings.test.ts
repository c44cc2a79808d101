import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { makeEvent, makeTicket } from '../../tickets.ts';
import { addProgramme } from '../programme.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, origin, open } = useConsole({ siteName: 'Harbour Hall' });

beforeAll(() => addProgramme(server()));

const site = async () => (await server().ask('GET admin:/site', { as: 'administrator' })).body;
const preview = (page: Page) => page.frameLocator('.page-preview iframe');
/** A colour of the page in the preview, as it counts. */
const colorOf = (page: Page, token: string) =>
  page
    .frames()
    .find((frame) => frame.url() === 'about:srcdoc')
    ?.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--${token}')`);

it('illegible colours are refused while typing and on saving; others are shown at once and saved', async () => {
  await open(
    'administrator',
    '/settings/look',
    async (page) => {
      const accent = page.getByRole('textbox', { name: 'Links, buttons, light', exact: true });
      await page.getByText('All texts can be read well').waitFor();
      await preview(page).getByRole('heading', { name: 'Coming up' }).waitFor();
      await expectAccessible(page);
      await accent.fill('#e07a9a');
      await page.getByText('Light: links and buttons on page, 2.78 of 4.5').waitFor();
      expect(await accent.getAttribute('aria-invalid')).toBe('true');
      const refusal = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await page.keyboard.press('Control+s');
      expect((await refusal).status()).toBe(400);
      await page.getByText('Check the marked fields.').waitFor();
      await page.locator('input[aria-invalid="true"]:focus').waitFor();
      expect((await site()).revision).toBe(2);
      // Typing changes nothing yet.
      await accent.fill('#005');
      await accent.fill('#005f73');
      await page.getByText('All texts can be read well').waitFor();
      await expect.poll(() => colorOf(page, 'accent')).toBe('#005f73');
      await page.getByRole('textbox', { name: 'Page, dark', exact: true }).fill('#101820');
      await expect.poll(() => colorOf(page, 'paper')).toBe('#101820');
      await page.getByLabel('Page', { exact: true }).selectOption('An event');
      await preview(page).locator('.h-event, main h1').first().waitFor();
      await expect.poll(() => colorOf(page, 'paper')).toBe('#101820');
      await page.getByRole('button', { name: 'Choose a picture' }).click();
      await page.getByRole('dialog').locator('img').first().click();
      await preview(page).locator('.sign-logo').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      const { colors, logo, revision } = await site();
      expect([colors.accent, colors.paper_dark, logo.width, revision]).toEqual(['#005f73', '#101820', 800, 3]);
      await page.goto('/');
      const color = `getComputedStyle(document.documentElement).getPropertyValue('--accent')`;
      expect(await page.evaluate<string>(color)).toBe('#005f73');
    },
    { viewport: DESKTOP, colorScheme: 'light' },
  );
});

it('the site is described by keyboard only; settings of the server are locked and name their variable', async () => {
  await open(
    'administrator',
    '/settings/site',
    async (page) => {
      await page.getByText('Set on the server by MARQUEE_NAME.').waitFor();
      expect(await page.getByLabel('Name of the site').count()).toBe(0);
      await expectAccessible(page);
      await page.getByLabel('Tagline').focus();
      await page.keyboard.type('By the water');
      await page.getByRole('button', { name: 'Add a link' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'New entry' }).locator('input:focus').waitFor();
      await page.keyboard.type('Access');
      await page.keyboard.press('Tab');
      await page.keyboard.type('javascript:alert(1)');
      await page.keyboard.press('Control+s');
      await page.locator('fieldset[aria-invalid="true"]:focus').waitFor();
      await page.getByLabel('Address', { exact: true }).last().fill('https://example.org/access');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      expect(await site()).toMatchObject({
        tagline: 'By the water',
        contact: { phone: '+1 555 0100' },
        legal_links: [{ label: 'Imprint' }, { label: 'Access', url: 'https://example.org/access' }],
      });
      await page.getByRole('button', { name: 'Remove “Imprint”' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.rows-actions button:focus').waitFor();
      await page.keyboard.press('Control+s');
      await expect.poll(async () => (await site()).legal_links.length).toBe(1);
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
});

it('terms of sale, former addresses and roles that need a second factor are set', async () => {
  await open(
    'administrator',
    '/settings/sale',
    async (page) => {
      await page.getByRole('button', { name: 'Bank transfer' }).click();
      const transfer = page.getByRole('group', { name: 'Bank transfer' });
      await transfer.getByLabel('Unpaid orders expire').selectOption('After some hours');
      await transfer.getByLabel('Hours', { exact: true }).fill('48');
      await transfer.getByLabel('Instructions for the customer').fill('IBAN DE00');
      await page.getByRole('button', { name: 'Another method' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Chèque');
      await page.keyboard.press('Enter');
      await page.getByLabel('Customers may cancel').selectOption('All orders, up to some hours before');
      await page.getByLabel('Hours before the start').fill('24');
      await page.getByLabel('Seller', { exact: true }).fill('Hall Ltd');
      await page.getByLabel('Prefix of invoice numbers').fill('HH-');
      await expectAccessible(page);
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      expect(await site()).toMatchObject({
        cancellation: { rule: 'until', hours_before: 24 },
        seller: { name: 'Hall Ltd', prefix: 'HH-', note: '' },
        payment_ways: [
          { id: 'door', name: 'Pay at the door' },
          { id: 'transfer', text: 'IBAN DE00', at_door: false, hold_hours: 48 },
          { id: 'cheque', name: 'Chèque', at_door: false, hold_hours: null },
        ],
      });
      await page.getByRole('link', { name: 'Calendar' }).last().click();
      await page.getByRole('button', { name: 'Add an address' }).click();
      await page.getByLabel('Former path').fill('veranstaltung');
      await page.getByText('Show each series once in public lists').click();
      await page.getByText('Set on the server by MARQUEE_TIMEZONE.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await site()).address_words).toEqual([{ from: 'veranstaltung', to: 'event' }]);
      expect((await site()).collapse_series).toBe(true);
      await page.goto('/console/settings/sign-in');
      await page.getByText('Administrator', { exact: true }).click();
      await page.getByText('Your own account has none yet.', { exact: false }).waitFor();
      await expectAccessible(page);
      await page.getByText('Administrator', { exact: true }).click();
      await page.getByText('Editor', { exact: true }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await site()).second_factor_roles).toEqual(['editor']);
    },
    { viewport: DESKTOP, colorScheme: 'dark' },
  );
});

it('a code is limited to tickets that are found by the names of their events, or their own', async () => {
  const event = await makeEvent(server(), { title: 'Gala night' });
  const door = await makeTicket(server(), event, { name: 'Members door', price: '20', requires_code: true });
  const stalls = await makeTicket(server(), event, { name: 'Stalls', price: '30' });
  const made = async () => (await server().ask('GET admin:/promotions', { as: 'administrator' })).body.promotions[0];
  await open(
    'administrator',
    '/settings/prices',
    async (page) => {
      const dialog = page.getByRole('dialog');
      const tickets = dialog.getByRole('combobox', { name: 'Only these tickets' });
      const option = (name: string) => page.getByRole('option', { name });
      await page.getByRole('button', { name: 'New promotion code' }).click();
      await dialog.getByLabel('Code', { exact: true }).fill('MEMBERS');
      await dialog.getByLabel('Effect').selectOption('Access to hidden tickets');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.locator('input[aria-invalid="true"]').waitFor();
      const read = Promise.withResolvers<void>();
      await page.route('**/tickets/v1/tickets?*', (route) => read.promise.then(() => route.fallback()));
      await tickets.click();
      await tickets.fill('gala');
      await page.getByText('Loading', { exact: true }).waitFor();
      expect(await page.getByText('Nothing found.').count()).toBe(0);
      read.resolve();
      await option('Members door').getByText('hidden').waitFor();
      await option('Stalls').click();
      await tickets.fill('members');
      await option('Members door').click();
      await dialog.getByRole('row', { name: 'Members door · Gala night, Sat, Mar 6, 2027' }).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: /^Remove Stalls/ }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await made()).toMatchObject({ code: 'MEMBERS', kind: 'access', ticket_ids: [door.id] });
      await page.getByRole('button', { name: /^Change .*MEMBERS/ }).click();
      await dialog.getByRole('row', { name: 'Members door · Gala night' }).waitFor();
      await dialog.getByRole('button', { name: 'For tickets of: Any event' }).click();
      await page.getByRole('searchbox', { name: 'For tickets of' }).fill('gala');
      await page.getByRole('menuitem', { name: 'Gala night' }).click();
      await tickets.click();
      await tickets.press('ArrowDown');
      await option('Stalls').click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await made()).toMatchObject({ event_id: event, ticket_ids: [door.id, stalls.id] });
    },
    { viewport: PHONE, colorScheme: 'light' },
  );
});

/** Actions that a page must not be able to do in the preview, whatever it contains. */
const HOSTILE = `<p>A page that was tampered with</p><script>parent.document.title = 'hacked'</script>`;

it('embeds for other sites are chosen, previewed and copied as code', async () => {
  await open(
    'administrator',
    '/settings/embeds',
    async (page) => {
      await page.getByLabel('Category').fill('nothing of this name');
      await page.getByText('Nothing has this name', { exact: false }).waitFor();
      await page.getByLabel('Category').fill('walks');
      const code = page.getByLabel('With a script');
      await expect.poll(() => code.inputValue()).toContain('category="walks" limit="5"');
      await expect.poll(() => preview(page).locator('.card').count()).toBe(1);
      await page.getByLabel('Language', { exact: true }).selectOption('German');
      await preview(page).getByRole('link', { name: 'Alle Veranstaltungen' }).waitFor();
      expect(await page.getByLabel('Without a script').inputValue()).toContain(
        `src="${origin()}/de/embed/events/?categories=walks&amp;limit=5"`,
      );
      await expectAccessible(page);
      await page.getByLabel('Colours').selectOption('Dark');
      await page.getByRole('button', { name: 'A month' }).click();
      await expect
        .poll(() => code.inputValue())
        .toContain('<marquee-events view="month" category="walks" language="de" theme="dark"');
      await preview(page).locator('.embed-period').waitFor();
      expect(await page.getByLabel('Maximum').count()).toBe(0);
      await page.getByRole('button', { name: 'One event' }).click();
      await page.getByText('Choose an event.').waitFor();
      await page.getByRole('button', { name: 'Event: Any event' }).click();
      await page.getByRole('menuitem').first().click();
      await expect.poll(() => code.inputValue()).toMatch(/<marquee-events event="[^"]+" language="de"/);
      await preview(page).locator('.card').waitFor();
      await page.route('**/embed/**', (route) =>
        route.fulfill({ status: 200, body: HOSTILE, contentType: 'text/html' }),
      );
      await page.getByLabel('Language', { exact: true }).selectOption('French');
      await preview(page).getByText('A page that was tampered with').waitFor();
      expect(await page.evaluate<boolean>('document.title.includes("hacked")')).toBe(false);
    },
    { viewport: PHONE, colorScheme: 'light' },
  );
});

it('a check-in key is made, shown once as a code, works, and is revoked after a question', async () => {
  const reads = (key: string) =>
    fetch(`${origin()}/calendar/tickets/v1/attendees?email=nobody`, { headers: { 'x-api-key': key } }).then(
      ({ status }) => status,
    );
  await open(
    'administrator',
    '/keys',
    async (page) => {
      await page.getByText('No keys yet.', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'New key' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Name', { exact: true }).waitFor();
      await page.keyboard.type('North <b>gate</b>');
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'Code that connects a scanner: North gate' }).locator('path[d]').waitFor();
      await expectAccessible(page);
      const key = await page.getByLabel('Key', { exact: true }).inputValue();
      expect(await reads(key)).toBe(200);
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('heading', { name: 'Keys and tokens', includeHidden: true }).isVisible()).toBe(false);
      expect(await page.getByLabel('Key', { exact: true }).isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('button', { name: 'Close' }).click();
      await page.reload();
      await page.getByText('All events · last used', { exact: false }).waitFor();
      await expectAccessible(page);
      expect(await page.content()).not.toContain(key);
      await page.getByRole('button', { name: 'Revoke “North gate”' }).click();
      await page.getByText(/It is valid for \d+ events ahead\./).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByText('“North gate” is revoked.').waitFor();
      await page.getByText('No keys yet.', { exact: false }).waitFor();
      expect(await reads(key)).toBe(401);
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
});

it('the state of the server is read, and examined when asked for, in every language', async () => {
  await open(
    'administrator',
    '/settings',
    async (page) => {
      await page.getByRole('heading', { name: 'Réglages' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Langues', exact: false }).click();
      await page.getByText('Défini sur le serveur par MARQUEE_LANGUAGES.').waitFor();
      await expectAccessible(page);
      await page.goto('/console/settings/system');
      await page.getByText('En ordre', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Vérifier maintenant' }).click();
      await page.getByText('Tout est en ordre').waitFor();
      await expectAccessible(page);
    },
    { viewport: PHONE, colorScheme: 'light', locale: 'fr-FR' },
  );
});
