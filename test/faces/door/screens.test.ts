import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { VERDICTS, type Verdict } from '../../../src/lib/door/door-verdict.ts';
import { effort } from '../../thoroughness.ts';
import { accessibilityProblems } from '../axe.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { type DoorDevice, makeEvening, openDoor, PATIENT, typeFast, useDoor } from './door.ts';

const { server, start, cut, mend } = useDoor();

type Language = 'en' | 'fr' | 'de';
type Text = keyof typeof import('../../../apps/door/locales/en.json');

interface Tour extends DoorDevice {
  /** A text of the app. */
  t: (key: Text) => string;
  press: (key: Text) => Promise<void>;
  /**
   * Notes the problems of a screen in light and dark colours and in a wide window. `DOOR_SHOTS`, a folder, gets
   * pictures.
   */
  look: (screen: string) => Promise<void>;
  problems: string[];
}

async function tourIn(language: Language): Promise<Tour> {
  const device = await start({ locale: language });
  const { page } = device;
  await page.addInitScript(PATIENT);
  const texts = JSON.parse(readFileSync(`apps/door/locales/${language}.json`, 'utf8'));
  const problems: string[] = [];
  const t = (key: Text): string => texts[key].replaceAll('\u00a0', ' ');
  return {
    ...device,
    ...{ t, problems },
    press: (key) =>
      page
        .getByRole('button', { name: t(key), exact: true })
        .first()
        .click(),
    async look(screen) {
      const folder = process.env.DOOR_SHOTS;
      for (const [colorScheme, size] of VIEWS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const name = [language, colorScheme, size.width, screen.replaceAll(' ', '-')].join('-');
        if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
        for (const problem of await accessibilityProblems(page)) problems.push(`${name}: ${problem}`);
      }
      await page.setViewportSize(PHONE);
    },
  };
}

const VIEWS = [
  ['light', PHONE],
  ['dark', PHONE],
  ['dark', DESKTOP],
] as const;

const LANGUAGES = effort<Language[]>(['en', 'fr', 'de'], ['de']);

it.each(LANGUAGES)('has accessible screens in a rehearsal, in %s', async (language) => {
  const { page, context, t, press, look, problems, complaints } = await tourIn(language);
  await page.goto('/door/');
  await page.getByRole('button').first().waitFor();
  await look('pair');
  await press('rehearse');
  await look('ready');
  await press('open');
  await page.locator('video').waitFor();
  await look('scan');
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await press('next');
  await press('menu');
  await look('menu');
  await press('settings');
  await look('settings');
  await page.locator('.plain').click();
  await page.locator('.plain').click();
  await press('search');
  await page.locator('#search').fill('lo');
  await page.locator('.found button').first().click();
  await look('search');
  const other = await context.newPage();
  await other.goto('/door/');
  await other.getByText(t('elsewhere')).waitFor();
  expect([problems, await accessibilityProblems(other), complaints]).toEqual([[], [], []]);
  await page.close();
  await other.getByRole('heading', { name: t('pair.title') }).waitFor();
});

/** Lets the server respond to scans with a verdict; undefined for no response. */
async function answerWith({ context }: DoorDevice, verdict: Verdict | undefined): Promise<void> {
  const scans = /\/door\/(scans|sealed)$/;
  await context.unroute(scans);
  await context.route(scans, async (route) => {
    if (verdict === undefined) return route.abort();
    const sent: { scans: { id: string; attendee: number }[] } = route.request().postDataJSON();
    const { clock } = server();
    const first = { utc: clock.now.toISOString().slice(0, 19).replace('T', ' '), place: 'South, Bo’s phone' };
    const json = {
      server_time: clock.now.toISOString(),
      scans: sent.scans.map(({ id }) => ({
        ...{ id, verdict, clash: false, attendee: null },
        first: verdict === 'already-in' ? first : null,
      })),
    };
    await route.fulfill({ status: 200, json });
  });
}

/** Goes on from a verdict by its button. */
const leave = async (page: Page, { press }: Tour): Promise<void> => {
  await press('next');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
};

it.each(LANGUAGES)(
  'has an accessible screen for each verdict, for PINs and for the end of a shift, in %s',
  async (language) => {
    const rules = { needs_pin: true, may_sell: true };
    const { gate, guests } = await makeEvening(server(), [...VERDICTS, 'Ada Lovelace', 'Bo Reed'], rules);
    await server().make(`POST tickets:/attendees/${guests[0]!.id}`, { door_note: 'Wheelchair, row 3' });
    const tour = await tourIn(language);
    const { page, t, press, look, problems } = tour;
    await openDoor(tour, server(), { gate, pin: '4711', t, onPin: () => look('new PIN') });
    const show = async (verdict: Verdict, at: number, screen: string) => {
      await page.evaluate(typeFast(guests[at]!.text));
      await page.getByRole('alertdialog', { name: t(`verdict.${verdict}`), exact: true }).waitFor();
      await look(screen);
    };
    for (const [index, verdict] of VERDICTS.entries()) {
      if (verdict === 'undone') continue;
      // The device asks the server once it has responded.
      await page.getByText(new RegExp(`^${t('status.online')} `)).waitFor();
      await answerWith(tour, verdict);
      await show(verdict, index, verdict);
      await leave(page, tour);
    }
    await answerWith(tour, undefined);
    await show('welcome', VERDICTS.length, 'not confirmed');
    await leave(page, tour);
    await press('undo');
    await page.getByRole('alertdialog', { name: t('verdict.undone'), exact: true }).waitFor();
    await look('undone');
    await leave(page, tour);

    await press('menu');
    await press('lock');
    await page.getByLabel(t('pin')).fill('0815');
    await press('pin.unlock');
    await page.getByRole('alert').filter({ visible: true }).waitFor();
    await look('locked');
    await page.getByLabel(t('pin')).fill('4711');
    await press('pin.unlock');
    await press('end');
    await page.getByText(t('takings.none')).waitFor();
    await look('end');
    await cut();
    await press('end.act');
    await press('end.anyway');
    await page.getByRole('heading', { name: t('erased.ended') }).waitFor();
    await look('erased');
    await mend();
    expect([problems, tour.complaints]).toEqual([[], []]);
  },
);
