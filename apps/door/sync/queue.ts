import type { DoorScan, DoorScanAnswer } from '../../../packages/client/src/marquee-client.ts';
import { isWaiting, type OwnScan } from '../list/own-scan.ts';
import { failureOf } from './server.ts';

/**
 * Scans of the device, from the first moment until the list reflects them. A scan is stored before anything is shown,
 * and stays until the server has responded for its id.
 */

/** Most scans of a request. */
const BATCH = 100;

interface Store {
  keep(scan: OwnScan): Promise<void>;
  drop(ids: readonly string[]): Promise<void>;
}

type Send = (scans: DoorScan[]) => Promise<DoorScanAnswer[]>;

export class Queue {
  readonly #store: Store;
  readonly #scans = new Map<string, OwnScan>();
  readonly #byAttendee = new Map<number, Set<string>>();
  /** Scans for whose response a volunteer waits at the moment: they are sent on their own. */
  readonly #asked = new Set<string>();
  #sending: Promise<void> | undefined;
  #order = 0;

  constructor(store: Store, scans: readonly OwnScan[] = []) {
    this.#store = store;
    for (const scan of scans) this.#put(scan);
  }

  /** Number of scans without a response of the server. */
  get waiting(): number {
    return [...this.#scans.values()].filter(isWaiting).length;
  }

  /** Scans that the server cannot read. */
  get refused(): OwnScan[] {
    return [...this.#scans.values()].filter(({ isRefused }) => isRefused);
  }

  get all(): OwnScan[] {
    return [...this.#scans.values()];
  }

  get nextOrder(): number {
    return this.#order + 1;
  }

  get(id: string): OwnScan | undefined {
    return this.#scans.get(id);
  }

  /** Scans of an attendee that the list may not know yet. */
  of(attendee: number): OwnScan[] {
    return [...(this.#byAttendee.get(attendee) ?? [])].flatMap((id) => this.#scans.get(id) ?? []);
  }

  /** Attendees with such scans. */
  get attendees(): Iterable<number> {
    return this.#byAttendee.keys();
  }

  /** Stores a scan, new or changed. */
  async keep(scan: OwnScan): Promise<void> {
    await this.#store.keep(scan);
    this.#put(scan);
  }

  /**
   * Asks the server about one scan, which a volunteer waits for.
   * @returns undefined if it does not respond in time
   */
  async ask(id: string, send: (scan: DoorScan) => Promise<DoorScanAnswer[]>): Promise<DoorScanAnswer | undefined> {
    const scan = this.#scans.get(id);
    if (!scan) return undefined;
    this.#asked.add(id);
    try {
      const [answer] = await send(scan.sent);
      if (answer?.id !== id) return undefined;
      await this.#answered(scan, answer);
      return answer;
    } catch {
      return undefined;
    } finally {
      this.#asked.delete(id);
    }
  }

  /**
   * Sends all scans that wait, oldest first.
   * @throws the failure of a request; scans without a response stay
   */
  send(send: Send, onAnswer: (scan: OwnScan) => void = () => undefined): Promise<void> {
    this.#sending ??= this.#sendAll(send, onAnswer).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(send: Send, onAnswer: (scan: OwnScan) => void): Promise<void> {
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      await this.#sendBatch(batch, { send, onAnswer });
    }
  }

  #next(): OwnScan[] {
    return [...this.#scans.values()]
      .filter((scan) => isWaiting(scan) && !this.#asked.has(scan.sent.id))
      .sort((one, other) => one.order - other.order)
      .slice(0, BATCH);
  }

  async #sendBatch(
    batch: readonly OwnScan[],
    { send, onAnswer }: { send: Send; onAnswer: (scan: OwnScan) => void },
  ): Promise<void> {
    if (batch.length === 0) return;
    try {
      const answers = await send(batch.map(({ sent }) => sent));
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      // A response that lacks a scan does not come from the server.
      if (batch.some(({ sent }) => !byId.has(sent.id))) throw new Error('scans without a response');
      // Compares scans as they were sent: a volunteer may have decided on some since.
      for (const scan of batch) {
        const answer = byId.get(scan.sent.id);
        if (answer && this.#scans.has(scan.sent.id)) onAnswer(await this.#answered(scan, answer));
      }
    } catch (error) {
      await this.#failed(batch, { send, onAnswer, error });
    }
  }

  async #failed(
    batch: readonly OwnScan[],
    { error, ...how }: { send: Send; onAnswer: (scan: OwnScan) => void; error: unknown },
  ): Promise<void> {
    if (failureOf(error) !== 'refused') throw error;
    const [only] = batch;
    if (batch.length === 1 && only) return this.keep({ ...only, isRefused: true });
    // One scan that the server cannot read must not hold back the others.
    const half = Math.ceil(batch.length / 2);
    await this.#sendBatch(batch.slice(0, half), how);
    await this.#sendBatch(batch.slice(half), how);
  }

  /** Notes a response, unless the device has decided differently since the scan was sent: then it is sent again. */
  async #answered(sent: OwnScan, { verdict, clash }: DoorScanAnswer): Promise<OwnScan> {
    const scan = this.#scans.get(sent.sent.id) ?? sent;
    if (scan.sent.let_in !== sent.sent.let_in) return scan;
    const answered: OwnScan = { ...scan, answer: { verdict, clash }, sent: { ...scan.sent, code: null } };
    await this.keep(answered);
    return answered;
  }

  /** Ids of scans with a response, which a list that is requested now will contain. */
  get answered(): string[] {
    return [...this.#scans.values()].filter(({ answer }) => answer).map(({ sent }) => sent.id);
  }

  /** Forgets scans that the list now contains. */
  async drop(ids: readonly string[]): Promise<void> {
    await this.#store.drop(ids);
    for (const id of ids) {
      const scan = this.#scans.get(id);
      this.#scans.delete(id);
      if (scan?.attendee !== undefined) this.#byAttendee.get(scan.attendee)?.delete(id);
      if (scan?.attendee !== undefined && this.#byAttendee.get(scan.attendee)?.size === 0)
        this.#byAttendee.delete(scan.attendee);
    }
  }

  #put(scan: OwnScan): void {
    const { id } = scan.sent;
    this.#order = Math.max(this.#order, scan.order);
    this.#scans.set(id, scan);
    if (scan.attendee === undefined) return;
    const ids = this.#byAttendee.get(scan.attendee) ?? new Set();
    this.#byAttendee.set(scan.attendee, ids.add(id));
  }
}
