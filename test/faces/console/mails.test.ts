import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSeat } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { runJobs } from '../../jobs.ts';
import { type MailServer, sendMails, startMailServer } from '../../mail-server.ts';
import { SMTP } from '../../samples.ts';
import { confirmFactor, newPerson } from '../../sessions.ts';
import { makeEvent } from '../../tickets.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, expectAccessibleOnBoth, follow, useConsole } from './console.ts';

const { server, open } = useConsole({ smtp: SMTP, languages: ['en', 'fr', 'de'] });
let smtp: MailServer;
beforeAll(async () => {
  smtp = await startMailServer();
});
afterAll(() => smtp.close());

const arrived = async () => {
  await runJobs(server().context);
  await sendMails(server().context, smtp.settings);
  return smtp.take();
};
const hashIn = (text = ''): string => /#sign-in=[\w-]+/.exec(text)?.[0] ?? '';

it('a person who has forgotten the password gets a link, enters the code and sets another password', async () => {
  const person = await newPerson(server());
  const app = await confirmFactor(server(), person.cookie);
  await arrived();
  let hash = '';
  await open(undefined, '/', async (page) => {
    await page.getByRole('button', { name: 'Forgot your password?' }).press('Enter');
    await expectAccessibleOnBoth(page);
    await page.getByLabel('E-mail address').fill('unknown@example.test');
    await page.keyboard.press('Enter');
    const answer = page.getByText(/belongs to an account here, a link is on its way/);
    await answer.waitFor();
    const unknown = (await answer.textContent())?.replace('unknown@', '');
    expect(await arrived()).toEqual([]);
    await page.getByRole('button', { name: 'Back to signing in' }).click();
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(`${person.name}@example.test`);
    await page.getByRole('button', { name: 'Send a link to set a new password' }).click();
    await answer.waitFor();
    expect((await answer.textContent())?.replace(`${person.name}@`, '')).toBe(unknown);
    await expectAccessibleOnBoth(page);
    hash = hashIn((await arrived())[0]?.mail.text);
    expect(hash).not.toBe('');
  });
  await open(
    undefined,
    `/${hash}`,
    async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Code').fill('000000');
      await page.keyboard.press('Enter');
      await page.getByText('The code is wrong or has already been used.').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Code').fill(app.code(1));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await page.getByLabel('New password').fill('one more long password');
      await page.keyboard.press('Enter');
      await page.getByText('The password is set.').waitFor();
    },
    { viewport: PHONE, colorScheme: 'dark' },
  );
  await open(undefined, `/${hash}`, async (page) => {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This link has been used or has expired. Ask for a new one.').waitFor();
    await page.getByRole('button', { name: 'Sign in with a password' }).click();
    await page.getByRole('button', { name: 'Forgot your password?' }).waitFor();
  });
  const subjects = (await arrived()).map(({ mail }) => mail.subject);
  expect(subjects).toContain('Password of your account at Marquee changed');
});

it('organizers see what became of mails, read one, and send it to another address', async () => {
  const event = await makeEvent(server(), { title: 'Lantern <b>Night</b>' });
  const seat = await makeSeat(server(), event, 50, { name: 'Standing', price: '0' });
  await buy(server(), [seat], { purchaser: { name: 'Ada', email: 'ada@example.test' } });
  smtp.refuse = (recipient) => (recipient === 'bo@example.test' ? { code: 550, text: 'no such mailbox' } : undefined);
  const refused = await buy(server(), [seat], { purchaser: { name: 'Bo', email: 'bo@example.test' } });
  await newPerson(server());
  await server().ask('POST admin:/session/mailed-link', { body: { email: 'administrator@example.test' } });
  await arrived();
  smtp.refuse = () => undefined;
  await server().make(`PATCH admin:/orders/${refused.id}`, { purchaser: { email: 'bo@corrected.test' } });
  await open('editor', '/mails', async (page) => {
    const cards = page.locator('.mail-cards > li');
    await cards.nth(1).waitFor();
    expect(await cards.count()).toBe(2);
    expect(await page.getByText('administrator@example.test').count()).toBe(0);
    await expectAccessibleOnBoth(page);
    await page.setViewportSize(DESKTOP);
    await page.getByLabel('Status').selectOption('failed');
    await cards.nth(1).waitFor({ state: 'detached' });
    await page.getByText('550 no such mailbox').waitFor();
    await page.getByRole('button', { name: /^Open: Tickets to bo@example\.test/ }).click();
    const frame = page.frameLocator('.mail-frame iframe');
    await frame.getByRole('heading', { name: 'Your ticket' }).waitFor({ state: 'attached' });
    expect(await frame.locator('h1').getAttribute('style')).toContain('font-size: 28px');
    await page.getByText('As plain text').click();
    await page
      .locator('.mail-text')
      .getByText(/Lantern Night/)
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send again' }).click();
    const address = page.getByRole('textbox', { name: 'E-mail address' });
    expect(await address.inputValue()).toBe('bo@corrected.test');
    await address.fill('bo@home.test');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The mail is being sent.').waitFor();
    expect((await arrived()).map(({ to }) => to)).toEqual([['bo@home.test']]);
    await page.keyboard.press('Escape');
    await follow(page, `/events/${event}/mails`);
    await cards.nth(1).waitFor();
    await follow(page, '/mails?to=ada%40example.test');
    await page.getByRole('button', { name: /^Open: Tickets to ada@example\.test/ }).waitFor();
    expect(await cards.count()).toBe(1);
  });
  await server()
    .context.db.query.updateTable('mails')
    .set({ status: 'bounced', smtp_reply: '550 5.1.1 gone' })
    .where('record_id', '=', refused.id)
    .execute();
  await open('editor', `/orders/${refused.id}`, async (page) => {
    await page.getByText('The last mail to bo@home.test came back.', { exact: false }).waitFor();
    await page.getByRole('button', { name: /^Open: Tickets to bo@home\.test/ }).waitFor();
    await expectAccessible(page);
  });
});

it('administrators see mails to accounts without their links, invite by mail and send links', async () => {
  await open('administrator', '/mails?kind=password', async (page) => {
    await page.getByRole('button', { name: /^Open: New password to administrator@example\.test/ }).click();
    await page.getByText('Links that sign in are only in the mail itself.').waitFor();
    await page.getByText('As plain text').click();
    expect(await page.locator('.mail-text').textContent()).toContain('#sign-in=…');
    await page.keyboard.press('Escape');
    await follow(page, '/users');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('Name', { exact: true }).fill('gwen');
    await page.getByLabel('E-mail', { exact: true }).fill('gwen@example.test');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation to gwen@example.test is being sent.').waitFor();
    const [invitation] = await arrived();
    expect([invitation?.to, hashIn(invitation?.mail.text) !== '']).toEqual([['gwen@example.test'], true]);
    const { users } = (await server().ask('GET admin:/users', { as: 'administrator', query: { search: 'gwen' } })).body;
    await follow(page, `/users/${users[0].id}`);
    await page.getByRole('button', { name: 'Send a link by mail' }).click();
    await page.getByText('The link to gwen@example.test is being sent.').waitFor();
    expect((await arrived()).map(({ mail }) => mail.subject)).toEqual(['Your account at Marquee']);
  });
});

it('accounts choose the language of their mails and their alerts', async () => {
  await open('author', '/account', async (page) => {
    await page.getByRole('heading', { name: 'Mails to you' }).waitFor();
    expect(await page.getByText('Background jobs that failed for good').count()).toBe(0);
    await page.getByText('An event is sold out').click();
    await page.getByText('Saved.').first().waitFor();
    await expectAccessibleOnBoth(page);
  });
  const { alerts } = (await server().ask('GET admin:/me', { as: 'author' })).body;
  expect(alerts).toEqual(['sold-out']);
});
