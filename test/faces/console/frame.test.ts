import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { linkToken } from '../../sessions.ts';
import { houseAudit } from '../axe.ts';
import { addProgramme } from '../programme.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, follow, useConsole } from './console.ts';

const { server, origin, open } = useConsole();

let draft = 0;
beforeAll(async () => {
  await addProgramme(server());
  draft = (
    await server().make('POST /events', {
      title: 'Idea',
      start_date: '2027-01-02 20:00',
      end_date: '2027-01-02 22:00',
      status: 'draft',
    })
  ).id;
});

const SCREENS = ['/', '/events', '/events?view=trash', '/events/draft', '/account', '/nowhere'];

it.each([
  { viewport: DESKTOP, colorScheme: 'light', locale: 'fr-FR' },
  { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
] as const)('every screen is accessible, at %j', async (options) => {
  const look = async (page: Page) => {
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    // Both schemes have the same elements; axe takes seconds for each of them.
    if (options.colorScheme === 'dark') await expectAccessible(page);
    else expect(await page.evaluate(houseAudit)).toEqual([]);
    await page.setViewportSize(options.viewport);
  };
  await open(undefined, '/events', look, options);
  await open(
    'editor',
    '/account',
    async (page) => {
      for (const path of SCREENS) {
        await follow(page, path.replace('draft', String(draft)));
        await look(page);
      }
    },
    options,
  );
});

describe('signing in', () => {
  it('leads to the requested screen, explains errors, and ends by signing out', async () => {
    await open(undefined, '/events?view=past', async (page) => {
      await page.getByLabel('Name or e-mail').fill('editor');
      await page.getByLabel('Password').fill('wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'The password is wrong.' }).waitFor();
      await page.getByLabel('Password').fill('editor-password');
      await page.keyboard.press('Enter');
      await page.getByText('Old rehearsal').waitFor();
      expect(page.url()).toBe(`${origin()}/console/events?view=past`);
      await page.getByRole('button', { name: 'Account editor' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  it('by a link takes it out of the address, works once, and lets one set a password', async () => {
    const path = `/#sign-in=${await linkToken(server(), 'contributor')}`;
    await open(undefined, path, async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      expect(page.url()).toBe(`${origin()}/console/account`);
      await page.getByLabel('New password').fill('a new password');
      await page.keyboard.press('Enter');
      await page.getByText('The password is set.').waitFor();
    });
    await open(undefined, path, async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('This link has been used or has expired.').waitFor();
    });
  });

  it('again after the end of a session keeps the input', async () => {
    await open('author', '/account', async (page) => {
      await page.getByLabel('Current password').fill('author-password');
      await page.getByLabel('New password').fill('half typed');
      await page.context().clearCookies();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel('Name or e-mail').fill('author');
      await dialog.getByLabel('Password').fill('author-password');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('New password').inputValue()).toBe('half typed');
    });
  });
});

describe('the keyboard', () => {
  it('goes to screens by two letters, finds records with the palette, and lists all keys', async () => {
    await open('editor', '/', async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      await page.locator('main:focus').waitFor();
      await page.waitForURL('**/console/events');
      await page.getByRole('button', { name: 'New event' }).waitFor();
      await page.keyboard.press('c');
      await page.waitForURL('**/console/events/new');
      await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox', { name: 'Find anything' }).last().waitFor();
      await page.keyboard.type('jazz');
      await page.getByRole('menuitem', { name: 'Jazz on the quay' }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Jazz on the quay' }).waitFor();
      await page.locator('main').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await expectAccessible(page);
    });
  });
});
