import { expect, it } from 'vitest';
import { effort } from '../../thoroughness.ts';
import { accessibilityProblems } from '../axe.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { useDoor } from './door.ts';

const { start } = useDoor();

/** Invented guests by the verdicts on them, in a rehearsal. */
const GUESTS = [
  ...['Ada Lovelace', 'Mary Shelley', 'Clara Schumann', 'Émilie du Châtelet', 'Johann Bernoulli'],
  ...['Sofja Kowalewskaja', 'Évariste Galois'],
];

const LANGUAGES = [
  ['en', 'light', ['Rehearse', 'Open the door', 'Next', 'Copied code', 'Other code', 'Menu', 'Settings', 'Search']],
  [
    'fr',
    'dark',
    ['S’exercer', 'Ouvrir l’entrée', 'Suivant', 'Code copié', 'Autre code', 'Menu', 'Réglages', 'Chercher'],
  ],
  [
    'de',
    'dark',
    ['Mit erfundenen', 'Einlass öffnen', 'Weiter', 'Kopierter', 'Anderer Code', 'Menü', 'Einstell', 'Suchen'],
  ],
] as const;

it.each(LANGUAGES.slice(0, effort(3, 2)))(
  'has accessible screens in %s, in %s colours',
  async (language, colorScheme, words) => {
    const [rehearse, open, next, copied, other, menu, settings, search] = words;
    const { page, complaints } = await start({ locale: language, colorScheme });
    const press = (name: string) => page.getByRole('button', { name }).first().click();
    const problems: string[] = [];
    const look = async (what: string) => {
      if (process.env.DOOR_SHOTS)
        await page.screenshot({ path: `${process.env.DOOR_SHOTS}/${language}-${what.replaceAll(' ', '-')}.png` });
      for (const problem of await accessibilityProblems(page)) problems.push(`${what}: ${problem}`);
      await page.setViewportSize(DESKTOP);
      for (const problem of await accessibilityProblems(page)) problems.push(`${what}, wide: ${problem}`);
      await page.setViewportSize(PHONE);
    };
    await page.goto('/door/');
    await page.getByRole('button', { name: rehearse }).waitFor();
    await look('pair');
    await press(rehearse);
    await look('ready');
    await press(open);
    await page.locator('video').waitFor();
    await look('scan');
    for (const name of [...GUESTS, copied, other]) {
      await press(name);
      await page.getByRole('alertdialog').waitFor();
      await look(name);
      // Verdicts that admit a guest leave by themselves.
      const button = page.getByRole('alertdialog').getByRole('button', { name: next });
      if ((await button.count()) > 0) await button.click({ timeout: 10_000 }).catch(() => undefined);
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    }
    await press(menu);
    await look('menu');
    await press(settings);
    await look('settings');
    await page.locator('.plain').click();
    await page.locator('.plain').click();
    await press(search);
    await page.locator('#search').fill('lo');
    await page.locator('.found button').first().click();
    await look('search');
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
