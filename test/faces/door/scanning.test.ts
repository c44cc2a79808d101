import { expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, until, useDoor, verdictOn } from './door.ts';

const { server, film, start } = useDoor();

it('pairs, scans a filmed code, with a hand scanner and by name', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace', 'Émilie du Châtelet', 'Bo Reed']);
  const [ada, emilie, bo] = guests;
  await film(ada!.text);
  const device = await start();
  const { page } = device;
  await openDoor(device, server(), { gate });
  expect(new URL(page.url()).hash).toBe('');
  expect(await verdictOn(page, 'Welcome')).toContain('Ada Lovelace');
  await until(() => isIn(server(), ada!.id));
  await page.getByText('1 of 3 in').waitFor();

  expect(await handScan(page, bo!.text, 'Welcome')).toContain('Bo Reed');
  expect(await handScan(page, bo!.text, 'Already in')).toContain('This ticket was used before');

  await page.getByRole('button', { name: 'Search' }).click();
  const field = page.getByLabel('Name');
  await field.fill('e');
  expect(await page.getByRole('list').getByRole('button').count()).toBe(0);
  await field.fill('chat emi');
  await page.getByRole('button', { name: 'Émilie du Châtelet' }).click();
  expect(await isIn(server(), emilie!.id)).toBe(false);
  await page.getByRole('button', { name: 'Let in' }).click();
  await verdictOn(page, 'Welcome');
  await until(() => isIn(server(), emilie!.id));
  expect(device.complaints).toEqual([]);
});
