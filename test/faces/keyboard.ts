import type { Page } from 'playwright-core';

/** More stops than any page has. */
const MOST = 300;

/**
 * Runs in the page: the name of what has the focus, and what is wrong with how that looks. What is below another element
 * or outside the window is covered, and what is not marked at its edge is invisible.
 */
const STOP = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return undefined;
  const [label] = at.labels ?? [];
  const words = label && [...label.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data);
  const name = (at.getAttribute('aria-label') || words?.join(' ') || at.innerText || '').replace(/\\s+/g, ' ').trim();
  (window.reached ??= new Set()).add(at);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  const inside = [...at.getClientRects()].some(({ left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (at.contains(hit) || hit.contains(at) && hit.closest('label') !== null);
  });
  const problem = (isMarked ? '' : 'is not marked ') + (inside ? '' : 'is covered');
  return { name, problem: problem.trim() };
})()`;

/**
 * Runs in the page: waits until scripts have followed the focus. Observers of what is in the window, which show and hide
 * bars, run with a frame, and what they change is drawn in the next one.
 */
const SETTLED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

interface Stop {
  name: string;
  problem: string;
}

/** Walks with the Tab key until what `name` matches has the focus; what has it on the way must show it. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen = await tabUntil(page, (stop) => name.test(stop.name));
  if (!name.test(seen.at(-1)?.name ?? '')) throw new Error(`nothing is called ${name} but ${JSON.stringify(seen)}`);
}

/** Runs in the page after a walk: what can be operated, is shown, and never had the focus. */
const UNREACHED = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
  .filter((one) => one.checkVisibility() && !window.reached.has(one))
  .map((one) => one.outerHTML.slice(0, 100))`;

/** Walks with the Tab key through the whole page; returns what it did not reach. */
export async function tabThrough(page: Page): Promise<string[]> {
  // Fonts that arrive later move what is below them.
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate(SETTLED);
  await tabUntil(page, () => false);
  return page.evaluate<string[]>(UNREACHED);
}

async function tabUntil(page: Page, isEnd: (stop: Stop) => boolean): Promise<Stop[]> {
  const seen: Stop[] = [];
  while (seen.length < MOST) {
    await page.keyboard.press('Tab');
    await page.evaluate(SETTLED);
    const stop = await page.evaluate<Stop | undefined>(STOP);
    if (!stop) return seen;
    seen.push(stop);
    if (stop.problem !== '') throw new Error(`"${stop.name}" has the focus, but ${stop.problem}, at ${page.url()}`);
    if (isEnd(stop)) return seen;
  }
  throw new Error('the page has no end for the Tab key');
}
