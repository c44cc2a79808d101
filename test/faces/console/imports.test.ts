import { expect, it } from 'vitest';
import { workOnImports } from '../../import-runs.ts';
import { DESKTOP } from '../site.ts';
import { expectAccessibleOnBoth, follow, useConsole } from './console.ts';

const { server, open } = useConsole({ timezone: 'Europe/Berlin', languages: ['en', 'fr', 'de'] });

const TABLE = ['Event Name,Day,Event Venue Name', 'Tea,2027-10-02,Old Mill', 'Walk,2027-10-03,Old Mill', 'No start,,'];

const titles = async () =>
  (await server().context.db.query.selectFrom('events').select('title').orderBy('title').execute()).map(
    ({ title }) => title,
  );

it('administrators upload a table, choose its columns, look at the plan, import it and undo that', async () => {
  await open('administrator', '/imports', async (page) => {
    await expectAccessibleOnBoth(page);
    await page.setViewportSize(DESKTOP);
    const buffer = Buffer.from(TABLE.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'Evenings 2027.csv', mimeType: 'text/csv', buffer });
    await page.getByLabel('Content of the rows').selectOption('events');
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByText('Making the plan').first().waitFor();
    await workOnImports(server());
    // "Day" is no heading that is known.
    const day = page.getByLabel('Meaning of the column Day');
    await day.waitFor();
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByText('must have a column for start_date', { exact: false }).waitFor();
    await day.selectOption('start_date');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByText('You can close this window').waitFor();
    await workOnImports(server());
    await page.getByRole('heading', { name: 'What would happen' }).waitFor();
    await page.getByRole('gridcell', { name: 'Tea' }).or(page.getByText('Tea')).first().waitFor();
    await expectAccessibleOnBoth(page);
    await page.setViewportSize(DESKTOP);
    await page.getByLabel('What happens').selectOption('cannot');
    await page.getByText('has no start that can be read; not imported').waitFor();
    expect(await titles()).toEqual([]);
    await page.getByRole('button', { name: 'Change the columns' }).click();
    expect(await page.getByLabel('Meaning of the column Day').inputValue()).toBe('start_date');
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('You can close this window').waitFor();
    // The import goes on without this page.
    const { pathname } = new URL(page.url());
    await follow(page, '/events');
    await workOnImports(server());
    await follow(page, pathname.replace('/console', ''));
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('2 events, 1 venue').or(page.getByText('1 venue, 2 events')).waitFor();
    await page.getByText('Line 4:').waitFor();
    await expectAccessibleOnBoth(page);
    await page.setViewportSize(DESKTOP);
    expect(await titles()).toEqual(['Tea', 'Walk']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await workOnImports(server());
    await page.getByText('Undone').first().waitFor();
    expect(await titles()).toEqual([]);
  });
});

it('administrators subscribe to calendars, pause and end that', async () => {
  await open('administrator', '/imports', async (page) => {
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('dialog').getByLabel('Web address').fill('https://calendar.example/basic.ics');
    await expectAccessibleOnBoth(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText(/not read yet · every 4 hours/).waitFor();
    await page.getByRole('button', { name: /^Pause/ }).click();
    await page.getByText(/^paused/).waitFor();
    await expectAccessibleOnBoth(page);
    await page.getByRole('button', { name: /^End/ }).click();
    await page.getByRole('dialog').getByText('Move its coming events to the trash', { exact: false }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No calendar subscriptions yet.').waitFor();
  });
});

it('others see nothing of imports', async () => {
  await open('editor', '/imports', async (page) => {
    await page.getByText('not have the right', { exact: false }).or(page.locator('.state')).first().waitFor();
    expect(await page.getByRole('button', { name: 'Make a plan' }).count()).toBe(0);
  });
});
