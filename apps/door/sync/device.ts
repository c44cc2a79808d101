import { signal } from '@preact/signals';
import { GuestList } from '../list/guest-list.ts';
import type { OwnScan } from '../list/own-scan.ts';
import { eraseTime, type OpenSale, type Session } from '../list/session.ts';
import { lockedKey, newKey, unlock } from '../store/sealing.ts';
import { type Choices, type Envelope, type Erasure, type Safe, Storage } from '../store/storage.ts';
import { Queue } from './queue.ts';
import { DoorServer, failureOf, type Sold } from './server.ts';

/**
 * - `elsewhere`: the app is open in another window, which alone may scan.
 * - `unpaired`, `new-pin`, `locked`, `ready`: before the shift, in this order.
 * - `open`: scanning.
 * - `erased`: the list is erased; scans may still wait.
 */
export type Phase =
  | 'loading'
  | 'no-storage'
  | 'elsewhere'
  | 'unpaired'
  | 'new-pin'
  | 'locked'
  | 'ready'
  | 'open'
  | 'erased';

/** Most envelopes of a request. */
const MOST_ENVELOPES = 20;

/** Wrong PINs in a row after which the list is erased. */
const MOST_WRONG = 5;

/** This device: its gate, its list, its scans, and where they are stored. */
export class Device {
  readonly phase = signal<Phase>('loading');
  readonly session = signal<Session | undefined>();
  /** Grows with each change of the list or of own scans. */
  readonly version = signal(0);
  readonly choices = signal<Choices>({});
  readonly erasure = signal<Erasure | undefined>();
  /** PINs that may still be tried. */
  readonly triesLeft = signal(MOST_WRONG);
  /** Number of scans of which the device has only the envelope: while the list is locked, or after it was erased. */
  readonly left = signal(0);
  /** Scans in envelopes that the server could not open. */
  readonly unreadable = signal(0);
  /** Sale without a response; the server may have it. */
  readonly sale = signal<OpenSale | undefined>();
  /** Whether the guests are samples: nothing is stored or sent. */
  readonly isRehearsal = signal(false);

  list = new GuestList();
  queue: Queue;
  server: DoorServer;

  /** A pairing whose greeting was lost. Its code is used up, so its token is kept. */
  #paired: { code: string; token: string } | undefined;
  #storage: Storage | undefined;
  #safe: Safe | undefined;
  #key: CryptoKey | undefined;
  /** Session of a device that needs a PIN first. */
  #unlocked: Session | undefined;

  constructor() {
    this.server = new DoorServer(location.origin);
    this.queue = this.#newQueue([]);
  }

  /** Opens the storage and chooses the first screen. */
  async start(): Promise<void> {
    try {
      this.#storage = await Storage.open();
      this.choices.value = await this.#storage.choices();
      this.#safe = await this.#storage.safe();
    } catch {
      this.phase.value = 'no-storage';
      return;
    }
    if (!this.#safe) {
      this.phase.value = 'unpaired';
      return;
    }
    this.server.clock = this.#safe.clock;
    await this.#openList();
    await this.#countLeft();
  }

  async #openList(): Promise<void> {
    const safe = this.#safe;
    if (!safe || safe.erased) {
      this.erasure.value = safe?.erased;
      this.phase.value = safe ? 'erased' : 'unpaired';
    } else if (this.isExpired) await this.erase('expired');
    else if (safe.lock) {
      this.triesLeft.value = MOST_WRONG - safe.lock.wrong;
      this.phase.value = 'locked';
    } else if (safe.listKey) await this.#load(safe.listKey);
    else this.phase.value = 'unpaired';
  }

  /** Whether the list has to be erased, such as a day after the last event. */
  get isExpired(): boolean {
    const eraseAt = this.#safe?.eraseAt ?? null;
    return eraseAt !== null && this.server.now() >= eraseAt;
  }

  async #load(key: CryptoKey): Promise<void> {
    const stored = await this.#storage?.list(key);
    if (!stored) {
      this.phase.value = 'unpaired';
      return;
    }
    this.#key = key;
    this.list = new GuestList(stored.rows);
    this.queue = this.#newQueue((await this.#storage?.scans(key)) ?? []);
    this.session.value = stored.session;
    this.sale.value = await this.#storage?.sale(key);
    await this.#countLeft();
    this.changed();
    // The rule may be newer than the pairing.
    const lacksPin = stored.session.greeting.gate.needs_pin && !this.#safe?.lock;
    if (lacksPin) this.#unlocked = stored.session;
    this.phase.value = lacksPin ? 'new-pin' : 'ready';
  }

  /**
   * Exchanges a pairing code for a token of this device.
   * @throws the problem of the request
   */
  async pair(code: string, name: string): Promise<void> {
    if (this.#paired?.code !== code) {
      const answer = await this.server.pair(code, name);
      if (!('token' in answer)) throw new Error('the response with the token was lost');
      this.#paired = { code, token: answer.token };
    }
    const { token } = this.#paired;
    const greeting = await this.server.hello(token, { queue: this.queue.waiting });
    this.#paired = undefined;
    const session: Session = {
      token,
      greeting,
      since: undefined,
      synced: 0,
      list: { events: [], tickets: [], keys: [], currency: 'USD' },
    };
    // Without this, a browser that runs out of space may erase everything.
    await navigator.storage?.persist?.().catch(() => false);
    this.list = new GuestList();
    if (greeting.gate.needs_pin) {
      this.#unlocked = session;
      this.phase.value = 'new-pin';
    } else {
      await this.#begin(session, { key: await newKey(), lock: undefined });
    }
  }

  /** Locks the list of this device with a PIN, which the server never learns. */
  async choosePin(pin: string): Promise<void> {
    if (this.#unlocked) await this.#begin(this.#unlocked, await lockedKey(pin));
  }

  async #begin(session: Session, { key, lock }: Pick<Safe, 'lock'> & { key: CryptoKey }): Promise<void> {
    const { clock } = this.server;
    this.#safe = { listKey: lock ? undefined : key, lock, clock, eraseAt: null, erased: undefined };
    this.#key = key;
    this.#unlocked = undefined;
    await this.#storage?.keepSafe(this.#safe);
    await this.keepSession(session, undefined);
    // If the PIN was chosen later, the scans need the new key.
    for (const scan of this.queue.all) await this.queue.keep(scan);
    if (this.sale.value) await this.#keepSale(this.sale.value);
    this.erasure.value = undefined;
    this.phase.value = 'ready';
  }

  /** Tries a PIN; after five wrong ones the list is erased. */
  async unlock(pin: string): Promise<boolean> {
    const lock = this.#safe?.lock;
    if (!this.#safe || !lock) return false;
    // Counted before it is tried, so that closing the app gains no try.
    await this.#change({ lock: { ...lock, wrong: lock.wrong + 1 } });
    const key = await unlock(lock, pin);
    if (key) {
      await this.#change({ lock: { ...lock, wrong: 0 } });
      await this.#load(key);
      return true;
    }
    this.triesLeft.value = MOST_WRONG - lock.wrong - 1;
    if (this.triesLeft.value <= 0) await this.erase('wrong-pin');
    return false;
  }

  /** Locks the list again, if it has a PIN. */
  async lock(): Promise<void> {
    if (!this.#safe?.lock) return;
    this.#forget();
    await this.#countLeft();
    this.triesLeft.value = MOST_WRONG;
    this.phase.value = 'locked';
  }

  get hasPin(): boolean {
    return this.#safe?.lock !== undefined;
  }

  /** Stores the session, and the changed chunks of the list or, if undefined, all of it. */
  async keepSession(session: Session, changed: ReadonlySet<number> | undefined): Promise<void> {
    const key = this.#key;
    if (!key || this.isRehearsal.value) return;
    const isErased = () => this.#key !== key;
    if (!(await this.#storage?.keepList(key, session, { list: this.list, changed, isErased }))) return;
    // Shown only once it is stored, so that a visible list survives a restart.
    this.session.value = session;
    this.changed();
    const { clock } = this.server;
    const eraseAt = eraseTime(session);
    if (clock !== this.#safe?.clock || eraseAt !== this.#safe?.eraseAt) await this.#change({ clock, eraseAt });
  }

  /**
   * Sells, or takes money. The sale is stored before it is sent, so that its response can be asked for again, also
   * after a restart, and nothing is sold twice.
   * @throws the problem of the request; the sale stays in `sale` unless the server has refused it
   */
  async sell(open: OpenSale): Promise<Sold> {
    const token = this.session.value?.token;
    if (token === undefined) throw new Error('this device has no gate');
    await this.#keepSale(open);
    try {
      const sold = await this.server.sell(token, open.sale);
      await this.#keepSale(undefined);
      return sold;
    } catch (error) {
      if (failureOf(error) === 'refused') await this.#keepSale(undefined);
      throw error;
    }
  }

  /** Gives up a sale without a response: the console shows whether the server has it. */
  giveUpSale(): Promise<void> {
    return this.#keepSale(undefined);
  }

  async #keepSale(open: OpenSale | undefined): Promise<void> {
    this.sale.value = open;
    if (this.#key) await this.#storage?.keepSale(this.#key, open);
  }

  async #change(change: Partial<Safe>): Promise<void> {
    if (!this.#safe) return;
    this.#safe = { ...this.#safe, ...change };
    await this.#storage?.keepSafe(this.#safe);
  }

  /** Erases the list, its keys and the token. Scans that wait are still sent; without any, nothing is left. */
  async erase(reason: Erasure): Promise<void> {
    this.#forget();
    this.erasure.value = reason;
    if (this.#safe) {
      this.#safe = { ...this.#safe, listKey: undefined, lock: undefined, eraseAt: null, erased: reason };
      await this.#storage?.erase(this.#safe);
      await this.#countLeft();
      await this.#clearIfSent();
    }
    this.phase.value = 'erased';
  }

  /** Counts the envelopes whose scans are not in the queue. */
  async #countLeft(): Promise<void> {
    const { waiting, refused } = await this.#envelopes();
    this.left.value = waiting.length;
    this.unreadable.value = refused;
  }

  async #envelopes(): Promise<{ waiting: Envelope[]; refused: number }> {
    const { waiting = [], refused = 0 } = (await this.#storage?.envelopes()) ?? {};
    return { waiting: waiting.filter(({ id }) => !this.queue.get(id)), refused };
  }

  /**
   * Sends scans that are only in envelopes.
   * @param send returns whether the server has taken each
   */
  async sendLeft(send: (envelopes: string[]) => Promise<boolean[]>): Promise<void> {
    if (this.left.value === 0 || this.isRehearsal.value) return;
    const { waiting } = await this.#envelopes();
    for (let begin = 0; begin < waiting.length; begin += MOST_ENVELOPES) {
      const batch = waiting.slice(begin, begin + MOST_ENVELOPES);
      const taken = await send(batch.map(({ envelope }) => envelope));
      const idsOf = (isTaken: boolean) => batch.filter((_, index) => taken[index] === isTaken).map(({ id }) => id);
      await this.#storage?.dropScans(idsOf(true));
      await this.#storage?.refuseEnvelopes(idsOf(false));
      await this.#countLeft();
    }
    await this.#clearIfSent();
  }

  /** Erases the rest once all scans of an erased list are sent. */
  async #clearIfSent(): Promise<void> {
    if (!this.#safe?.erased || this.left.value + this.unreadable.value > 0) return;
    this.#safe = undefined;
    await this.#storage?.clear();
  }

  /** Leaves the message about an erased list. */
  dismissErasure(): void {
    this.erasure.value = undefined;
    this.phase.value = 'unpaired';
  }

  async choose(change: Partial<Choices>): Promise<void> {
    this.choices.value = { ...this.choices.value, ...change };
    await this.#storage?.keepChoices(this.choices.value);
  }

  /** Tells screens that the list or own scans have changed. */
  changed(): void {
    this.version.value += 1;
  }

  /** Begins with sample guests. The real list, if any, stays stored. */
  rehearse(session: Session, list: GuestList): void {
    this.isRehearsal.value = true;
    this.list = list;
    this.session.value = session;
    this.queue = this.#newQueue([]);
    this.phase.value = 'ready';
    this.changed();
  }

  #forget(): void {
    this.#key = undefined;
    this.#unlocked = undefined;
    this.session.value = undefined;
    this.sale.value = undefined;
    this.list = new GuestList();
    this.queue = this.#newQueue([]);
    this.changed();
  }

  #newQueue(scans: readonly OwnScan[]): Queue {
    const keep = async (scan: OwnScan) => {
      if (this.isRehearsal.value) return;
      const [key, session] = [this.#key, this.session.value];
      if (!key || !session || !this.#storage) throw new Error('there is nowhere to store a scan');
      await this.#storage.keepScan({ key, token: session.token, sealKey: session.greeting.seal_key }, scan);
    };
    const drop = async (ids: readonly string[]) => {
      if (!this.isRehearsal.value) await this.#storage?.dropScans(ids);
    };
    return new Queue({ keep, drop }, scans);
  }
}
