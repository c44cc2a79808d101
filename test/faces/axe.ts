import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Runs in a page, and returns a sentence for each problem. */
export const houseAudit = readFileSync(new URL('../page-audit.js', import.meta.url), 'utf8');

/** WCAG 2.0 to 2.2, levels A and AA, and what axe calls best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; any: { message: string }[] }[];
}

/**
 * A sentence for each accessibility problem that axe and the audit of `page-audit.js` find in a page as it is shown.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options = {
    runOnly: { type: 'tag', values: TAGS },
    // Is off unless asked for.
    rules: { 'target-size': { enabled: true } },
    resultTypes: ['violations'],
    // A problem is shown by its HTML; to find a selector that fits nothing else takes a fifth of the time.
    selectors: false,
    // Only a rule about locked orientation reads style sheets, of which there are none from elsewhere.
    preload: false,
  };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<Violation[]>(run);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? help} (${html.slice(0, 120)})`),
  );
  return [...found, ...(await page.evaluate<string[]>(houseAudit))];
}
