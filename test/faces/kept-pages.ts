import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

/** A page that one visit after another uses. */
interface KeptPage {
  /** Options of its context as text. */
  key: string;
  context: BrowserContext;
  page: Page;
  devtools: CDPSession;
}

/** Events that visits listen to. Playwright itself listens to others. */
const EVENTS = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'dialog'];

/**
 * Pages of the visits to one site. A page in a new context takes a second of processor time until it shows the console,
 * a used one half of that: it has a process, files in its cache, and scripts that are compiled.
 */
export class KeptPages {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #contexts = new Set<BrowserContext>();
  #free: KeptPage[] = [];

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
  }

  /** A blank page without cookies and storage. */
  async take(options: BrowserContextOptions): Promise<KeptPage> {
    const { viewport, colorScheme = 'light', reducedMotion = 'reduce', ...others } = options;
    const key = JSON.stringify(others);
    const free = this.#free.find((one) => one.key === key);
    this.#free = this.#free.filter((one) => one !== free);
    const kept = free ?? (await this.#open(key, others));
    await kept.page.setViewportSize(viewport ?? { width: 1280, height: 720 });
    await kept.page.emulateMedia({ media: null, colorScheme, reducedMotion });
    return kept;
  }

  async #open(key: string, options: BrowserContextOptions): Promise<KeptPage> {
    const context = await this.#browser.newContext({ baseURL: this.#origin, ...options });
    this.#contexts.add(context);
    const page = await context.newPage();
    page.addInitScript = () => {
      throw new Error('later visits would run the script too: open another page in the context');
    };
    return { key, context, page, devtools: await context.newCDPSession(page) };
  }

  /** Takes a page back after a visit and removes what is left of it, or closes the context if that is not possible. */
  async giveBack(kept: KeptPage): Promise<void> {
    const isClear = await this.#clear(kept).catch(() => false);
    if (isClear) this.#free.push(kept);
    else await this.discard(kept);
  }

  async discard({ context }: KeptPage): Promise<void> {
    this.#contexts.delete(context);
    await context.close();
  }

  /** Throws if the page is closed or has crashed. */
  async #clear({ context, page, devtools }: KeptPage): Promise<boolean> {
    for (const event of EVENTS) {
      page.removeAllListeners(event);
      context.removeAllListeners(event);
    }
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    if (page.url().startsWith(this.#origin)) await page.evaluate('sessionStorage.clear()');
    await page.goto('about:blank');
    await context.clearCookies();
    await devtools.send('Storage.clearDataForOrigin', { origin: this.#origin, storageTypes: 'all' });
    // A clock of Playwright cannot be removed.
    return (await page.evaluate<string>('Function.prototype.toString.call(Date)')).includes('[native code]');
  }
}
