import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { authenticatorOf, confirmFactor, newPerson } from '../../sessions.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, origin, open } = useConsole();

/** Makes an account without a password and returns its id and the part of its link after `#`. */
async function invite(username: string, role = 'door') {
  const account = { username, email: `${username}@example.test`, role };
  const { id, sign_in_link } = await server().make('POST admin:/users', account);
  return { id, hash: new URL(sign_in_link.url).hash };
}

const signIn = async (page: Page, name: string, password: string) => {
  await page.getByLabel('Name or e-mail').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
};

it('a person invited by a link sets up the second factor that the role needs, signs in with it and ends sessions', async () => {
  await server().make('PATCH admin:/site', { second_factor_roles: ['door'] });
  const { id, hash } = await invite('ada');
  const password = 'a password of ada';
  const look = { viewport: PHONE, colorScheme: 'dark' } as const;
  await open(
    undefined,
    `/${hash}`,
    async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      await expectAccessible(page);
      const app = authenticatorOf(server(), await page.getByLabel('Or type this key').inputValue());
      await page.getByLabel('Code', { exact: true }).fill('000000');
      await page.keyboard.press('Enter');
      await page.locator('.field-error').waitFor();
      await page.getByLabel('Code', { exact: true }).fill(app.code());
      await page.keyboard.press('Enter');
      const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
      await codes.first().waitFor();
      expect(await codes.count()).toBeGreaterThan(5);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'I have saved them' }).click();
      await page.getByLabel('New password').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('The password is set.').waitFor();
      await page.getByRole('button', { name: 'Account ada' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await signIn(page, 'ada', password);
      await page.getByLabel('Code').fill(app.code(1));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      const { url } = await server().make(`POST admin:/users/${id}/sign-in-link`, {});
      await server().make('POST admin:/session/by-link', { token: new URL(url).hash.slice('#sign-in='.length) });
      await page.reload();
      await page.getByRole('button', { name: 'Sign out there' }).click();
      await page.getByRole('button', { name: 'Sign out there' }).waitFor({ state: 'detached' });
      await page.getByText(/recovery codes are left/).waitFor();
      await expectAccessible(page);
    },
    look,
  );
  await server().make('PATCH admin:/site', { second_factor_roles: [] });
});

it('a person without the second factor that the role needs signs out by one request, also by two presses', async () => {
  await server().make('PATCH admin:/site', { second_factor_roles: ['door'] });
  const { hash } = await invite('grace');
  await open(undefined, `/${hash}`, async (page) => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    const held: Route[] = [];
    await page.route(/\/admin\/v1\/session(\?|$)/, (route) =>
      route.request().method() === 'DELETE' ? void held.push(route) : route.continue(),
    );
    await page.getByRole('button', { name: 'Sign out' }).dblclick();
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.continue();
    await page.getByLabel('Name or e-mail').waitFor();
    expect(held).toHaveLength(1);
  });
  await server().make('PATCH admin:/site', { second_factor_roles: [] });
});

it('a person replaces the second factor that the role needs with a recovery code, and removes it with the password', async () => {
  await server().make('PATCH admin:/site', { second_factor_roles: ['door'] });
  const { cookie, password } = await newPerson(server(), 'door');
  const { recoveryCodes } = await confirmFactor(server(), cookie);
  const [name = '', value = ''] = cookie.split('=');
  const prove = async (page: Page, label: string, proof: string) => {
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(proof);
    await page.keyboard.press('Enter');
  };
  await open(
    undefined,
    '/account',
    async (page) => {
      await page.context().addCookies([{ name, value, url: origin() }]);
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.reload();
      await page.getByText('you can replace it, but not remove it', { exact: false }).waitFor();
      expect(await page.getByRole('button', { name: 'Remove the second factor' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Replace the second factor' }).press('Enter');
      await prove(page, 'Code', 'aaaa-aaaa-aaaa-aaaa');
      await page.getByText('This code is wrong, or it was used before.').waitFor();
      await expectAccessible(page);
      await prove(page, 'Code', recoveryCodes[0] ?? '');
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
      await confirmFactor(server(), cookie);

      await server().make('PATCH admin:/site', { second_factor_roles: [] });
      await page.setViewportSize(DESKTOP);
      await page.reload();
      await page.getByText('10 recovery codes are left', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Remove the second factor' }).press('Enter');
      await page.getByRole('button', { name: 'Use the password instead' }).press('Enter');
      await page.locator('input[name=password]:focus').waitFor();
      await prove(page, 'Current password', 'somebody’s guess');
      await page.getByText('This is not your current password.').waitFor();
      await expectAccessible(page);
      await page.getByRole('dialog').getByLabel('Current password').fill(password);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the second factor' }).dblclick();
      await page.getByText('The second factor is removed.').waitFor();
      await page.locator('h2:focus', { hasText: 'Second factor' }).waitFor();
      await page.getByRole('button', { name: 'Set up', exact: true }).waitFor();
    },
    { refused: /^403 DELETE .*\/second-factor$/ },
  );
  const { body } = await server().ask('GET admin:/me', { headers: { cookie } });
  expect(body.second_factor).toEqual({ is_enabled: false, is_required: false, recovery_codes: 0 });
});

it('a person who need not have a second factor sets one up with the password', async () => {
  const { cookie, password } = await newPerson(server(), 'door');
  const [name = '', value = ''] = cookie.split('=');
  await open(
    undefined,
    '/account',
    async (page) => {
      await page.context().addCookies([{ name, value, url: origin() }]);
      await page.reload();
      await page.getByRole('button', { name: 'Set up', exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Begin' }).press('Enter');
      await page.locator('input[name=password]:focus').waitFor();
      await expectAccessible(page);
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      const app = authenticatorOf(server(), await page.getByLabel('Or type this key').inputValue());
      await page.getByLabel('Code', { exact: true }).fill(app.code());
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    },
    { refused: /^403 POST .*\/me\/second-factor$/ },
  );
  const { body } = await server().ask('GET admin:/me', { headers: { cookie } });
  expect(body.second_factor).toMatchObject({ is_enabled: true, recovery_codes: 10 });
});

it('application passwords and tokens of one’s own are shown once, work, and end when they are revoked', async () => {
  const asks = (authorization: string) =>
    fetch(`${origin()}/calendar/admin/v1/me`, { headers: { authorization } }).then(({ status }) => status);
  await open(
    'author',
    '/account',
    async (page) => {
      await page.getByRole('button', { name: 'New application password' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Newsletter');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      const basic = `author:${await page.getByRole('textbox', { name: 'Newsletter' }).inputValue()}`;
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Lobby');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      const bearer = `Bearer ${await page.getByRole('textbox', { name: 'Lobby' }).inputValue()}`;
      await page.getByRole('button', { name: 'Close' }).click();
      const authorization = `Basic ${Buffer.from(basic).toString('base64')}`;
      expect(await Promise.all([authorization, bearer].map(asks))).toEqual([200, 200]);
      for (const name of ['Newsletter', 'Lobby']) {
        await page.getByRole('button', { name: `Revoke “${name}”` }).click();
        await page.getByRole('button', { name: 'Revoke', exact: true }).click();
        await page.getByRole('button', { name: `Revoke “${name}”` }).waitFor({ state: 'detached' });
      }
      expect(await Promise.all([authorization, bearer].map(asks))).toEqual([401, 401]);
    },
    { viewport: DESKTOP },
  );
});

it('an administrator removes the second factor of a user who has lost it, which ends their sessions', async () => {
  const { id, cookie } = await newPerson(server(), 'door');
  await confirmFactor(server(), cookie);
  await open(
    'administrator',
    `/users/${id}`,
    async (page) => {
      const remove = page.getByRole('button', { name: 'Remove the second factor' });
      await remove.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').waitFor();
      await expectAccessible(page);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the second factor' }).dblclick();
      await page.getByText('The account has none.', { exact: false }).waitFor();
      await page.getByText('No sessions.').waitFor();
      expect(await remove.count()).toBe(0);
      await page.locator('h2:focus').waitFor();
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
  expect((await server().ask('GET admin:/me', { headers: { cookie } })).status).toBe(401);
});

it('an administrator invites people, changes roles and removes accounts; others neither see nor may do that', async () => {
  const { id } = await server().make('POST /events', {
    title: 'Open evening',
    start_date: '2027-01-02 20:00',
    end_date: '2027-01-02 22:00',
  });
  await server().make(`PATCH /events/${id}`, { title: 'Open night' });
  await open(
    'administrator',
    '/users',
    async (page) => {
      await page.getByRole('gridcell', { name: 'Contributor' }).first().waitFor();
      await expectAccessible(page);
      await page.setViewportSize(DESKTOP);
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByLabel('Name', { exact: true }).fill('berta');
      await page.getByLabel('E-mail', { exact: true }).fill('berta@example.test');
      await page.getByRole('dialog').getByLabel('Role').selectOption('contributor');
      await page.getByText('Own drafts, which others publish.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create the link' }).click();
      expect(await page.getByRole('textbox', { name: 'Sign-in link' }).inputValue()).toMatch(/#sign-in=[\w-]{20,}$/);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('searchbox', { name: 'Search name or e-mail' }).fill('berta');
      await page.getByText('1 entry', { exact: true }).waitFor();
      await page.getByRole('rowheader', { name: 'berta' }).click();
      await page.getByRole('heading', { name: 'berta', level: 1 }).waitFor();
      await page.getByLabel('Role').selectOption('door');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('berta@example.test · Door').waitFor();
      await page.getByRole('button', { name: 'New token' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('berta has been removed.').waitFor();
      await page.goto('/console/log?kind=event&action=changed');
      await page.getByRole('rowheader', { name: /Open night/ }).click();
      await page.getByText('Open evening', { exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Restore the previous values' }).click();
      await page.getByText('The previous values are restored.', { exact: false }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto('/console/log');
      await page.getByRole('rowheader').first().waitFor();
      await expectAccessible(page);
    },
    { viewport: DESKTOP },
  );
  expect((await server().ask(`GET /events/${id}`)).body.title).toBe('Open evening');
  await open(
    'editor',
    '/users',
    async (page) => {
      await page.getByText('Your account may not see this.', { exact: false }).waitFor();
      expect(await page.getByRole('link', { name: /Users|Log/ }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Invite someone' }).count()).toBe(0);
    },
    { refused: /^403 GET .*\/users$/ },
  );
});

it('an administrator confirms the session before another one is invited, and revokes the link', async () => {
  await open(
    'administrator',
    '/users',
    async (page) => {
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByLabel('Name', { exact: true }).fill('carla');
      await page.getByLabel('E-mail', { exact: true }).fill('carla@example.test');
      await page.getByRole('dialog').getByLabel('Role').selectOption('administrator');
      const send = page.getByRole('button', { name: 'Create the link' });
      const question = page.getByRole('dialog', { name: 'Confirm your identity' });
      await send.click();
      await question.waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByText('Confirm this with your current password').waitFor();
      await send.click();
      await question.getByLabel('Current password').fill('a guess');
      await page.keyboard.press('Enter');
      await page.getByText('This is not your current password.').waitFor();
      await question.getByLabel('Current password').fill('administrator-password');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Sign-in link' }).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('searchbox', { name: 'Search name or e-mail' }).fill('carla');
      await page.getByText('1 entry', { exact: true }).waitFor();
      await page.getByRole('rowheader', { name: 'carla' }).click();
      await page.getByText(/^Expires /).waitFor();
      // Confirmed a moment ago: not asked again.
      await page.getByRole('button', { name: 'Create a sign-in link' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      expect(await page.getByText(/^Expires /).count()).toBe(2);
      await expectAccessible(page);
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
      for (const left of [1, 0]) {
        await page.getByRole('button', { name: 'Revoke' }).first().click();
        await expect.poll(() => page.getByText(/^Expires /).count()).toBe(left);
      }
    },
    { viewport: DESKTOP, refused: /^403 POST .*\/(users|me\/confirmation)$/ },
  );
});

it('an author sees the history of an own event, what setting back would leave, and does it by keyboard only', async () => {
  const { id: hall } = await server().make('POST /venues', { venue: 'Lantern Hall' });
  const event = { title: 'Walk', start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00', venue: hall };
  const { id } = await server().make('POST /events', event, 'author');
  await server().make(`POST /events/${id}`, { title: 'Night walk', venue: null, post_password: 'sesame' }, 'author');
  const look = { viewport: PHONE, colorScheme: 'dark' } as const;
  await open(
    'author',
    `/events/${id}`,
    async (page) => {
      await page.getByRole('link', { name: 'History' }).focus();
      await page.keyboard.press('Enter');
      const changed = page.getByRole('row', { name: /Changed Title, Venue, Password/ });
      await changed.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Password: a secret, not stored').waitFor();
      await page.getByRole('deletion').getByText('Lantern Hall').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Restore the previous values' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The previous values are restored.', { exact: false }).waitFor();
      await page.getByText('3 entries').waitFor();
      expect(await changed.evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true);
      await expectAccessible(page);
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByText('a new record is not deleted').waitFor();
      expect(await page.getByRole('button', { name: 'Restore the previous values' }).count()).toBe(0);
    },
    look,
  );
  expect((await server().ask(`GET /events/${id}`, { as: 'author' })).body).toMatchObject({
    title: 'Walk',
    venue: { id: hall },
  });
  await open(
    'contributor',
    `/events/${id}/history`,
    (page) => page.getByText('Your account may not see this.', { exact: false }).waitFor(),
    { refused: /^403 GET .*\/(events\/\d+|audit)$/ },
  );
});
