import { expect, it } from 'vitest';
import { makeSeat } from '../../attendees.ts';
import { buy } from '../../buyers.ts';
import { makeEvent } from '../../tickets.ts';
import { DESKTOP } from '../site.ts';
import { expectAccessibleOnBoth, useConsole } from './console.ts';

const { server, open } = useConsole();

/** An event with two addresses that hold tickets. */
async function heldEvent(title: string): Promise<number> {
  const event = await makeEvent(server(), { title, author: server().userId('editor') });
  const seat = await makeSeat(server(), event, 10, { price: '0' });
  for (const name of ['ada', 'ada', 'bo'])
    await buy(server(), [seat], { purchaser: { name, email: `${name}@hall.test` } });
  return event;
}

const announcementsOf = async (event: number) =>
  (await server().ask(`GET admin:/events/${event}/announcements`, { as: 'editor' })).body.announcements;

it('holders of an event get an announcement after a preview with their number', async () => {
  const event = await heldEvent('Jazz night');
  await open('editor', `/events/${event}/announcements`, async (page) => {
    await page.getByText('Nothing has been sent').waitFor();
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: 'Write to ticket holders' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('Doors');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Doors open at six.');
    await expectAccessibleOnBoth(page);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('2 addresses get it once each').waitFor();
    await dialog.getByText('Doors open at six.').waitFor();
    await expectAccessibleOnBoth(page);
    expect(await announcementsOf(event)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send to 2 addresses' }).click();
    await page.getByText('The mails to 2 addresses are on their way.').waitFor();
    await page.getByRole('heading', { name: 'Doors' }).waitFor();
    expect(await announcementsOf(event)).toMatchObject([{ subject: 'Doors', text: 'Doors open at six.' }]);
  });
});

it.each([
  ['tell', 1],
  ['are not told', 0],
])('a user who cancels an event can choose: %s', async (choice, count) => {
  const event = await heldEvent(`Gala ${count}`);
  await open('editor', `/events/${event}`, async (page) => {
    await page.getByRole('button', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog');
    const tells = dialog.getByText('Tell the ticket holders by mail (2 addresses)');
    await tells.waitFor();
    await expectAccessibleOnBoth(page);
    if (choice !== 'tell') await tells.click();
    await dialog.getByLabel('Note for visitors').fill('The singer is ill.');
    await dialog.getByRole('button', { name: 'Cancel event' }).click();
    await page.getByText('The event is cancelled.').waitFor();
    if (count > 0) await page.getByText('The mails to 2 addresses are on their way.').waitFor();
    expect(await announcementsOf(event)).toMatchObject(count > 0 ? [{ kind: 'event_cancelled' }] : []);
  });
});

it('“Save and tell them” saves a new time and writes to the holders', async () => {
  const event = await heldEvent('Late show');
  await open('editor', `/events/${event}`, async (page) => {
    await page.getByRole('textbox', { name: 'From' }).fill('2027-03-06T19:30');
    await page.getByRole('button', { name: /^Save/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Tell the ticket holders by mail (2 addresses)').waitFor();
    await dialog.getByRole('button', { name: 'Save and tell them' }).click();
    await page.getByText('The mails to 2 addresses are on their way.').waitFor();
    expect(await announcementsOf(event)).toMatchObject([{ kind: 'event_moved', recipients: expect.any(Number) }]);
    expect((await server().ask(`GET /events/${event}`)).body.start_date).toBe('2027-03-06 19:30:00');
  });
});

it('reminders of one event are switched on', async () => {
  const event = await heldEvent('Matinee');
  await open('editor', `/events/${event}/announcements`, async (page) => {
    await page.getByLabel('Reminder by mail the day before').selectOption('Remind ticket holders');
    await page.getByText('From ').waitFor();
    expect((await server().ask(`GET admin:/events/${event}/reminder`, { as: 'editor' })).body).toMatchObject({
      own: true,
    });
  });
});

it('texts of mails are edited, previewed and tested, and the default text can be restored', async () => {
  await open('administrator', '/settings/mails', async (page) => {
    await page.getByLabel('Kind of mail').selectOption('RSVP received');
    await page.getByLabel('Subject').fill('Hello {nobody}');
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: 'Save the text' }).click();
    await page.getByText('has an unknown placeholder: {nobody}').waitFor();
    await page.getByLabel('Subject').fill('Hello {name}');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Hello Ada Park' }).waitFor();
    await expectAccessibleOnBoth(page);
    // Messages cover the buttons of a phone.
    await page.setViewportSize(DESKTOP);
    await page.getByRole('button', { name: 'Save the text' }).click();
    await page.getByText('The text is saved.').waitFor();
    await page.getByRole('button', { name: 'Send me the saved text' }).click();
    await page.getByText('A test mail to').waitFor();
    await page.getByRole('button', { name: 'Use the default text' }).click();
    await page.getByText('The default text is used again.').waitFor();
    await page.getByText('Remind ticket holders of events the day before').click();
    await expect.poll(async () => (await server().ask('GET admin:/site')).body.sends_reminders).toBe(true);
  });
});
