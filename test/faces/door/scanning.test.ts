import { expect, it } from 'vitest';
import { handScan, isIn, makeEvening, openDoor, until, useDoor, verdictOn } from './door.ts';

const { server, film, start, cut, mend } = useDoor();

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
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('row', { name: 'In the last 15 minutes 3' }).waitFor();
  expect(device.complaints).toEqual([]);
});

it('pairs after responses were lost, although the code is used up', async () => {
  const { gate } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page, context } = device;
  const { code } = await server().make(`POST admin:/door/gates/${gate}/pairings`, { name: 'Phone' });
  await page.goto(`/door/#pair=${code}`);
  await context.route(/\/door\/hello$/, (route) => route.abort());
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByText('The server did not respond').waitFor();
  await context.unroute(/\/door\/hello$/);
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByText('1 guest in the list').waitFor();
});

it.each([['online'], ['without a network']])(
  'undoes a scan, lets out and in again, and shows notes, %s',
  async (network) => {
    await film('');
    const { gate, guests } = await makeEvening(server(), ['Ada Lovelace'], { reentry: 'after_out' });
    const [ada] = guests;
    await server().make(`POST tickets:/attendees/${ada!.id}`, { door_note: 'Wheelchair, row 3' });
    const device = await start();
    const { page } = device;
    await openDoor(device, server(), { gate });
    if (network !== 'online') await cut();
    expect(await handScan(page, ada!.text, 'Welcome')).toContain('Wheelchair, row 3');
    await page.getByRole('button', { name: 'Undo' }).click();
    await verdictOn(page, 'Undone');
    await page.getByText('0 of 1 in').waitFor();
    await handScan(page, ada!.text, 'Welcome');
    await page.getByRole('button', { name: 'Out', exact: true }).click();
    await handScan(page, ada!.text, 'Goodbye');
    await handScan(page, ada!.text, 'Not in');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await handScan(page, ada!.text, 'Welcome');
    await page.getByText('0 of 1 in').waitFor();
    await page.getByRole('button', { name: 'In', exact: true }).click();
    await handScan(page, ada!.text, 'Welcome');
    await page.getByText('1 of 1 in').waitFor();
    if (network !== 'online') await mend();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Synchronise now' }).click();
    await until(() => isIn(server(), ada!.id));
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText(/^online · list/).waitFor();
    const { body } = await server().ask('GET admin:/door/clashes', { as: 'administrator' });
    expect([body.total, device.complaints]).toEqual([0, []]);
  },
);
