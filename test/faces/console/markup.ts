import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';

const FOLDER = 'apps/console/ui/rich-text';
const ENTRY = `
export { canonical } from './${FOLDER}/canonical.ts';
export { isKept, lostOf, parse, print, withoutPictures } from './${FOLDER}/markup.ts';
`;

/** Puts the rules of the rich editor into a page as `markup`: they need the parser of a browser. */
export async function addMarkup(page: Page): Promise<void> {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? `${process.cwd()}/entry.ts` : null),
    load: (id: string) => (id.endsWith('/entry.ts') ? ENTRY : null),
  };
  const bundle = await rolldown({ input: 'entry', plugins: [entry], platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'markup' });
  await bundle.close();
  await page.addScriptTag({ content: output[0].code });
}
