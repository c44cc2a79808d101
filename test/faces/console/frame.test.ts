import { beforeAll, it } from 'vitest';
import { addProgramme } from '../programme.ts';
import { DESKTOP, PHONE } from '../site.ts';
import { expectAccessible, useConsole } from './console.ts';

const { server, open } = useConsole();

beforeAll(() => addProgramme(server()));

it.each([
  { viewport: DESKTOP, colorScheme: 'light', locale: 'en-US' },
  { viewport: DESKTOP, colorScheme: 'dark', locale: 'fr-FR' },
  { viewport: PHONE, colorScheme: 'light', locale: 'de-DE' },
  { viewport: PHONE, colorScheme: 'dark', locale: 'en-US' },
] as const)('shows what comes next to everybody (%j)', async (options) => {
  await open(
    'editor',
    '/',
    async (page) => {
      await page.getByText('Jazz').first().waitFor();
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/home-${options.viewport.width}-${options.colorScheme}.png`,
        });
      await expectAccessible(page);
    },
    options,
  );
});
