import { expect, it } from 'vitest';
import { makeEvent, makeTicket } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

// The environment decides nothing.
const { server, open } = useConsole({ given: {}, timezone: 'UTC', languages: ['en', 'fr'] });

const site = async () => (await server().ask('GET admin:/site', { as: 'administrator' })).body;

it('zone and currency are chosen; a currency that prices do not fit is refused at its field', async () => {
  const id = await makeEvent(server(), { title: 'Evening' });
  await makeTicket(server(), id, { price: '15.00' });
  await open(
    'administrator',
    '/settings/calendar',
    async (page) => {
      await page.getByLabel('Time zone').selectOption('Europe/Paris');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved.').waitFor();
      expect((await site()).timezone).toBe('Europe/Paris');
      await page.goto('/console/events/new');
      await page.getByText('Europe/Paris', { exact: false }).waitFor();
      await page.goto('/console/settings/sale');
      await page.getByLabel('Currency').selectOption('JPY');
      await page.keyboard.press('Control+s');
      await page.getByText('There are prices in USD', { exact: false }).waitFor();
      await page.getByLabel('Currency').selectOption({ label: 'Euro (EUR)' });
      await expectAccessible(page);
      await page.keyboard.press('Control+s');
      await expect.poll(async () => (await site()).currency_symbol).toBe('€');
    },
    { viewport: DESKTOP },
  );
  expect((await server().ask(`GET /events/${id}`)).body.cost).toBe('€15.00');
});

it('languages are added and removed by keyboard; the one of the events themselves stays', async () => {
  await open(
    'administrator',
    '/settings/languages',
    async (page) => {
      const field = page.getByLabel('Another language');
      await field.waitFor();
      expect(await page.getByRole('button', { name: 'Remove English' }).count()).toBe(0);
      while (!(await field.evaluate((one) => one.matches(':focus')))) await page.keyboard.press('Tab');
      await page.keyboard.type('Klingonish');
      await page.keyboard.press('Enter');
      await page.getByText('No such language', { exact: false }).waitFor();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('german');
      await page.keyboard.press('Enter');
      await page.keyboard.type('pt-br');
      await page.keyboard.press('Enter');
      await page.getByText('Brazilian Portuguese').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Control+s');
      await expect.poll(async () => (await site()).languages).toEqual(['en', 'fr', 'de', 'pt-BR']);
      await page.getByRole('button', { name: 'Remove French' }).press('Enter');
      await page.keyboard.press('Control+s');
      await expect.poll(async () => (await site()).languages).toEqual(['en', 'de', 'pt-BR']);
      // The language of the content, in the head of every screen.
      await page.getByRole('button', { name: 'Language of the content', exact: false }).press('Enter');
      await page.getByRole('menuitemradio', { name: 'German', exact: false }).waitFor();
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
});

it('a price field keeps its input if the price is changed meanwhile, and refuses other notations', async () => {
  const rate = await server().make('POST admin:/tax-rates', { name: 'VAT', rate: 7000, included: true });
  const stored = async () => (await server().ask('GET admin:/tax-rates', { as: 'administrator' })).body.tax_rates[0];
  await open(
    'administrator',
    '/settings/prices',
    async (page) => {
      await page.getByRole('button', { name: 'Change “VAT 7%”' }).click();
      const field = page.getByLabel('Percent');
      await field.fill('8,875');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Type a percentage such as 8.875.').waitFor();
      await server().make(`PATCH admin:/tax-rates/${rate.id}`, { rate: 5000, name: 'Reduced' });
      await field.fill('8.875');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is now: Reduced 5% · Included in prices.').waitFor();
      expect(await field.inputValue()).toBe('8.875');
      expect(await stored()).toMatchObject({ name: 'Reduced', rate: 5000 });
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await page.getByText('VAT 8.875%').waitFor();
      expect(await stored()).toMatchObject({ name: 'VAT', rate: 8875 });
    },
    { viewport: PHONE },
  );
});
