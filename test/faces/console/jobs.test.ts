import { afterEach, beforeEach, expect, it } from 'vitest';
import { enqueue } from '../../../src/platform/jobs/queue.ts';
import { addDeadJob, addRunningJob } from '../../jobs.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

beforeEach(async () => {
  const { context } = server();
  await addDeadJob(context, 'mail.send', 'mail-31');
  await addDeadJob(context, 'mail.send', 'mail-32');
  await addRunningJob(context);
  const runAt = '2099-01-01 00:00:00';
  await enqueue(context.db, { kind: 'series.update', key: 'series-7', payload: {}, now: context.now(), runAt });
});
afterEach(() => server().context.db.query.deleteFrom('jobs').execute());

const states = async () => {
  const { query } = server().context.db;
  const rows = await query.selectFrom('jobs').select(['key', 'state']).orderBy('id').execute();
  return rows.map(({ key, state }) => `${key} ${state}`);
};

it('background jobs are listed by state and kind, tried again and removed', async () => {
  await open(
    'administrator',
    '/settings',
    async (page) => {
      await page.getByRole('link', { name: 'Background jobs', exact: false }).click();
      await page.getByText('series-7').waitFor();
      expect(await page.getByRole('listitem').filter({ hasText: 'attempt' }).count()).toBe(3);
      await expectAccessible(page);
      await page.getByLabel('Status').selectOption('Failed for good');
      await page.getByText('series-7').waitFor({ state: 'detached' });
      await page.getByText('no route to host').first().waitFor();
      await page.getByRole('button', { name: 'Try again: mail.send mail-31' }).click();
      await page.getByText('The job is tried again.').waitFor();
      await page.getByText('mail-31').waitFor({ state: 'detached' });
      expect(await states()).toContain('mail-31 ready');
      await page.getByRole('button', { name: 'Remove mail.send mail-32' }).click();
      await page.getByText('Its work is not done.', { exact: false }).waitFor();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No job matches these filters.').waitFor();
      expect(await states()).toEqual(['mail-31 ready', 'null running', 'series-7 ready']);
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByText('series-7').waitFor();
      await page.goto('/console/settings/jobs?kind=series.update');
      await page.getByText('series-7').waitFor();
      expect(await page.getByText('mail-31').count()).toBe(0);
    },
    { viewport: DESKTOP, colorScheme: 'light' },
  );
});

it('all failed jobs are tried again by keyboard, in German on a phone', async () => {
  await open(
    'administrator',
    '/settings/jobs',
    async (page) => {
      await page.getByRole('heading', { name: 'Hintergrundaufgaben' }).waitFor();
      const retry = page.getByRole('button', { name: 'Alle 2 fehlgeschlagenen Aufgaben wiederholen' });
      await retry.waitFor();
      await expectAccessible(page);
      await retry.focus();
      await page.keyboard.press('Enter');
      await page.getByText('2 Aufgaben werden wiederholt.').waitFor();
      await retry.waitFor({ state: 'detached' });
      expect(await states()).toEqual(['mail-31 ready', 'mail-32 ready', 'null running', 'series-7 ready']);
    },
    { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
  );
});

it('an editor has no right to see background jobs', async () => {
  await open('editor', '/settings/jobs', async (page) => {
    await page.getByRole('heading', { name: 'Background jobs' }).waitFor();
    await page.getByText('Your account may not see this.', { exact: false }).waitFor();
    expect(await page.getByText('series-7').count()).toBe(0);
  });
});
