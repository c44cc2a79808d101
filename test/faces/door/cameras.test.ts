import { expect, it } from 'vitest';
import { handScan, makeEvening, openDoor, useDoor, verdictOn } from './door.ts';

const { server, start, film } = useDoor();

it.each([
  ['NotAllowedError', 'The camera is not allowed'],
  ['NotFoundError', 'No camera was found'],
  ['NotReadableError', 'The camera stopped'],
])('goes on without a camera: %s', async (name, text) => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page } = device;
  await page.addInitScript(`navigator.mediaDevices.getUserMedia = () =>
    window.hasCamera ? navigator.mediaDevices.constructor.prototype.getUserMedia.call(navigator.mediaDevices, { video: true })
      : Promise.reject(new DOMException('', '${name}'))`);
  await openDoor(device, server(), { gate });
  const message = page.getByRole('button', { name: text });
  await message.waitFor();
  await handScan(page, guests[0]!.text, 'Welcome');
  // Plugged in, or allowed.
  await film(guests[0]!.text);
  await page.evaluate('window.hasCamera = true');
  await message.click();
  await verdictOn(page, 'Already in');
  await film('');
  expect(device.complaints).toEqual([]);
});

it('lets the camera sleep after a minute without a code, and wakes it', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start();
  const { page } = device;
  await page.addInitScript('{ const now = Date.now.bind(Date); window.passed = 0; Date.now = () => now() + passed }');
  await openDoor(device, server(), { gate });
  await page.locator('.viewer .frame').waitFor();
  await page.evaluate('passed = 61_000');
  const asleep = page.getByRole('button', { name: 'The camera sleeps' });
  await asleep.waitFor();
  expect(await page.evaluate("document.querySelector('video').srcObject")).toBe(null);
  await film(guests[0]!.text);
  await asleep.click();
  await verdictOn(page, 'Welcome');
  await film('');
});

/** Runs in a page before the app: notes the lower edge of the last button of a verdict, which leaves by itself. */
const NOTE_EDGE = `new MutationObserver(() => {
  const button = document.querySelector('.verdict-acts button:last-child');
  if (button) window.lowerEdge = button.getBoundingClientRect().bottom;
}).observe(document, { subtree: true, childList: true })`;

it('turns with the phone', async () => {
  const { gate, guests } = await makeEvening(server(), ['Ada Lovelace']);
  const device = await start({ viewport: { width: 740, height: 360 } });
  const { page } = device;
  await page.addInitScript(NOTE_EDGE);
  await film(guests[0]!.text);
  await openDoor(device, server(), { gate });
  await verdictOn(page, 'Welcome');
  const edge = await page.evaluate<number>('lowerEdge');
  expect(edge).toBeGreaterThan(0);
  expect(edge).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('.verdict').waitFor({ state: 'detached' });
  await film('');
});
