import { signal } from '@preact/signals';
import { GuestList } from '../list/guest-list.ts';
import type { OwnScan } from '../list/own-scan.ts';
import type { ListAnswer, Session } from '../list/session.ts';
import type { Device } from './device.ts';
import { type Failure, failureOf, retryAfterOf, waitAfter } from './server.ts';

const EVERY = 10_000;
const EVERY_HIDDEN = 60_000;
const HELLO_EVERY = 30_000;
const DIGEST_EVERY = 5 * 60_000;

/** Keeps the device in step with the server: sends scans, reports, and reads the list. */
export class Syncing {
  /** Why the last exchange failed; undefined after a successful one. */
  readonly failure = signal<Failure | undefined>();
  /** Number of loaded rows of a first list. */
  readonly loaded = signal(0);
  /** Scans whose holders were let in, and that the server refuses or knows from another gate. */
  readonly surprises = signal<readonly OwnScan[]>([]);

  readonly #device: Device;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #notBefore = 0;
  #greeted = 0;
  #compared = 0;

  constructor(device: Device) {
    this.#device = device;
    addEventListener('online', () => this.now());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.now();
    });
  }

  /** Synchronises at once, even while it waits after failures. */
  now(): void {
    this.#notBefore = 0;
    this.#greeted = 0;
    this.soon();
  }

  /** Synchronises at once, unless it waits after failures. */
  soon(): void {
    this.#schedule(Math.max(0, this.#notBefore - Date.now()));
  }

  /** Synchronises once, and waits for it. */
  async once(): Promise<void> {
    await this.#running;
    await this.#run();
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), wait);
  }

  #run(): Promise<void> {
    this.#running ??= this.#exchange().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #exchange(): Promise<void> {
    const device = this.#device;
    if (device.isRehearsal.value) return;
    let wait = document.visibilityState === 'visible' ? EVERY : EVERY_HIDDEN;
    try {
      if (device.isExpired) await device.erase('expired');
      await device.sendLeft((envelopes) => device.server.sealed(envelopes));
      const token = device.session.value?.token;
      if (token !== undefined) {
        await device.queue.send(
          (scans) => {
            // Updates the number of waiting scans once per request, since it is counted from the whole list.
            device.changed();
            return device.server.scans(token, scans);
          },
          (scan) => this.#note(scan),
        );
        await this.#greet();
        await this.#readList();
      }
      this.failure.value = undefined;
      this.#failures = 0;
    } catch (error) {
      wait = await this.#failed(error);
    }
    this.#notBefore = this.#failures > 0 ? Date.now() + wait : 0;
    device.changed();
    this.#schedule(wait);
  }

  /** @returns milliseconds to wait */
  async #failed(error: unknown): Promise<number> {
    const failure = failureOf(error);
    this.#failures += 1;
    this.failure.value = failure;
    if (failure === 'revoked') {
      await this.#checkRevoked();
      // The server takes its scans in their envelopes.
      if (this.#device.left.value > 0) return 0;
    }
    return waitAfter(this.#failures, retryAfterOf(error), Math.random);
  }

  /** Asks again before anything is erased. */
  async #checkRevoked(): Promise<void> {
    const session = this.#device.session.value;
    if (!session) return;
    try {
      await this.#device.server.hello(session.token, {});
    } catch (error) {
      if (failureOf(error) === 'revoked') await this.#device.erase('revoked');
    }
  }

  #note(scan: OwnScan): void {
    if (scan.answer?.clash) this.surprises.value = [...this.surprises.value, scan];
  }

  async #greet(): Promise<void> {
    const { session, queue, server } = this.#device;
    const before = session.value;
    if (!before || Date.now() - this.#greeted < HELLO_EVERY) return;
    const age = before.synced === 0 ? null : Math.max(0, Math.round((server.now() - before.synced) / 1000));
    const greeting = await server.hello(before.token, {
      battery: await batteryPercent(),
      queue: Math.min(queue.waiting, 1_000_000),
      list_age: age,
    });
    this.#greeted = Date.now();
    if (session.value?.token === before.token) session.value = { ...session.value, greeting };
  }

  /** Reads what has changed, or the whole list if there is none or it differs from the one of the server. */
  async #readList(): Promise<void> {
    const device = this.#device;
    const before = device.session.value;
    if (!before) return;
    // Responses from now on contain these scans.
    const contained = device.queue.answered;
    const wantsDigest = before.since !== undefined && Date.now() - this.#compared > DIGEST_EVERY;
    let next: Partial<Pick<ListAnswer, 'token'>> & { since?: string } = {
      ...(before.since && { since: before.since }),
    };
    let fresh: GuestList | undefined;
    const changed = new Set<number>();
    let page: ListAnswer | undefined;
    do {
      page = await device.server.list(before.token, {
        ...(next.since !== undefined && { since: next.since }),
        ...(wantsDigest && { digest: true }),
      });
      // The list may have been erased meanwhile, or be the one of another gate.
      if (device.session.value?.token !== before.token) return;
      // A new list replaces the earlier one when it is complete.
      if (page.reset) fresh = new GuestList();
      for (const chunk of (fresh ?? device.list).apply(page)) changed.add(chunk);
      if (fresh) this.loaded.value = fresh.size;
      next = { since: page.token };
    } while (page.more);
    if (fresh) device.list = fresh;
    const session = sessionAfter(device.session.value, page, device.server.now());
    const isSame = page.digest === null || page.digest === device.list.digest();
    if (wantsDigest) this.#compared = Date.now();
    await device.keepSession(isSame ? session : { ...session, since: undefined }, fresh ? undefined : changed);
    await device.queue.drop(contained);
    device.changed();
    if (!isSame) await this.#readList();
  }
}

const sessionAfter = (
  session: Session,
  { token, events, tickets, keys, currency }: ListAnswer,
  now: number,
): Session => ({
  ...session,
  list: { events, tickets, keys, currency },
  since: token,
  synced: now,
});

/** Charge in percent; null where the browser does not tell. */
async function batteryPercent(): Promise<number | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<{ level: number }> };
  const battery = await getBattery?.call(navigator).catch(() => undefined);
  return battery ? Math.round(battery.level * 100) : null;
}
