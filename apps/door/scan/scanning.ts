import { signal } from '@preact/signals';
import { randomKey } from '../../../packages/client/src/marquee-client.ts';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import type { DoorMode, Verdict } from '../../../src/lib/door/door-verdict.ts';
import { msOf, utcText } from '../list/clock.ts';
import type { OwnScan } from '../list/own-scan.ts';
import type { Device } from '../sync/device.ts';
import type { Syncing } from '../sync/syncing.ts';
import { readTicketCode, type TicketCode } from './code.ts';
import { type Asked, decide, isUnsure, type Known, lookUp, timelineIn } from './decide.ts';

/** A verdict with the details that a volunteer needs. */
export interface Shown {
  verdict: Verdict;
  mode: DoorMode;
  /** Whether the server said it. */
  isConfirmed: boolean;
  name: string;
  /** Name of the kind of ticket. */
  ticket: string;
  event: string;
  /** Note for the door. */
  note: string;
  /** Entry before: UTC time, and gate and device if they are known. */
  first: { utc: string; place: string } | undefined;
  /** Number of holders of the same purchase: inside, and all. */
  companions: { inside: number; all: number } | undefined;
  /** In minor units. */
  owed: number;
  /** When check-in opens or closed, UTC. */
  opens: string | undefined;
  closed: string | undefined;
  /** Why a code is not known. */
  hint: 'no-ticket' | 'other-site' | 'other-event' | undefined;
  scan: OwnScan | undefined;
  /** Attendee of the list; undefined for a ticket that is not in it. */
  attendee: number | undefined;
  /** Asks again, such as after a payment. */
  again: (() => Promise<void>) | undefined;
  /** Asks again and lets the holder in on purpose; undefined if this is not allowed or would change nothing. */
  override: (() => Promise<void>) | undefined;
}

/** Longest wait for the server, in milliseconds. */
const LONGEST_WAIT = 700;
const SHORTEST_WAIT = 150;
/** Maximum age of the last response for which the server is still asked. */
const RECENT = 10_000;
const SAME_CODE = 3000;
/** Largest purchase whose number of admitted tickets is shown. */
const MOST_COMPANIONS = 100;
const UNDO_TIME = 5 * 60_000;

/** Scans tickets: decides, stores, asks, shows. */
export class Scanning {
  readonly mode = signal<DoorMode>('in');
  readonly shown = signal<Shown | undefined>();
  /** The last scan that can be undone, until some time by the clock of the device. */
  readonly last = signal<{ shown: Shown; until: number } | undefined>();

  /** Whether the last scan could not be stored. */
  readonly hasFailed = signal(false);

  readonly #device: Device;
  readonly #syncing: Syncing;
  #turn: Promise<void> = Promise.resolve();
  #before = { text: '', at: 0 };

  constructor(device: Device, syncing: Syncing) {
    this.#device = device;
    this.#syncing = syncing;
  }

  /** Takes a text that a camera saw. The same text within three seconds is the same ticket, held longer. */
  see(text: string): void {
    const now = Date.now();
    const isSame = text === this.#before.text && now - this.#before.at < SAME_CODE;
    this.#before = { text, at: now };
    if (!isSame) this.scan(text);
  }

  /** Takes the text of a code. Scans are decided one after the other. */
  scan(text: string): void {
    const code = readTicketCode(text, location.origin);
    void this.#inTurn(() => (code ? this.#scanCode(code) : this.#showUnknown('no-ticket')));
  }

  /** Takes an attendee that was found by name. */
  choose(row: DoorRow): void {
    void this.#inTurn(() => this.#take({ mode: this.mode.value, row, code: 'none' }, undefined));
  }

  /** A scan that cannot be stored lets no one in: the browser may have no space left. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act).then(
      () => {
        this.hasFailed.value = false;
      },
      () => {
        this.hasFailed.value = true;
      },
    );
    return this.#turn;
  }

  get #known(): Known | undefined {
    const { session, list, queue, server } = this.#device;
    return session.value && { session: session.value, list, scansOf: (id) => queue.of(id), now: server.now() };
  }

  async #scanCode(code: TicketCode): Promise<void> {
    const known = this.#known;
    if (known) await this.#take(await lookUp(code, this.mode.value, known), code);
  }

  async #take(asked: Asked, code: TicketCode | undefined): Promise<void> {
    const known = this.#known;
    if (!known) return;
    const { verdict, entry } = decide(asked, known);
    const scan = this.#newScan(asked, code, known);
    const mayAsk = isUnsure(verdict) && this.#isServerNear;
    // Stored before anything is shown. Without a decision, the one of the server counts.
    await this.#keep(mayAsk ? scan : decided(scan, verdict));
    const answer = mayAsk ? await this.#ask(scan, known) : undefined;
    if (mayAsk && !answer) await this.#keep(decided(scan, verdict));
    const final = answer?.verdict ?? verdict;
    if (answer) {
      const answered = this.#device.queue.get(scan.sent.id) ?? scan;
      await this.#keep({ ...answered, verdict: final, attendee: scan.attendee ?? answer.attendee?.id });
    }
    const shown = this.#describe({ asked, code, scan, known, verdict: final });
    this.show({
      ...shown,
      ...(answer?.attendee && { name: answer.attendee.name, owed: answer.attendee.owed, note: answer.attendee.note }),
      isConfirmed: answer !== undefined,
      first: answer?.first ?? (entry && firstOf(entry)),
    });
    this.#syncing.soon();
  }

  show(shown: Shown): void {
    this.shown.value = shown;
    const isPassage = shown.verdict === 'welcome' || shown.verdict === 'goodbye';
    const mayUndo = this.#device.session.value?.greeting.gate.may_undo;
    if (shown.scan && isPassage && mayUndo && shown.mode !== 'look')
      this.last.value = { shown, until: Date.now() + UNDO_TIME };
    this.#device.changed();
  }

  /** Whether the server has just responded, so that it is worth waiting for. */
  get #isServerNear(): boolean {
    const { answered } = this.#device.server;
    return !this.#device.isRehearsal.value && answered !== undefined && Date.now() - answered.at < RECENT;
  }

  async #ask({ sent }: OwnScan, { session: { token } }: Known) {
    const { queue, server } = this.#device;
    const usual = server.answered?.took ?? LONGEST_WAIT;
    const wait = Math.min(Math.max(2 * usual, SHORTEST_WAIT), LONGEST_WAIT);
    const answer = await queue.ask(sent.id, (scan) => server.scans(token, [scan], { timeout: wait }));
    // The next ticket does not wait for a server that did not respond.
    if (!answer) server.answered = undefined;
    return answer;
  }

  async #keep(scan: OwnScan): Promise<void> {
    await this.#device.queue.keep(scan);
    this.#device.changed();
  }

  #newScan({ mode, row, signed, overrides }: Asked, code: TicketCode | undefined, { session, now }: Known): OwnScan {
    return {
      order: this.#device.queue.nextOrder,
      sent: {
        id: randomKey(),
        mode,
        attendee: code?.id ?? row?.[0] ?? null,
        code: code?.code ?? null,
        event_id: row?.[1] ?? code?.event ?? null,
        time: new Date().toISOString(),
        offset: this.#device.server.offset,
        let_in: null,
        override: overrides ?? null,
        undoes: null,
      },
      attendee: row?.[0] ?? signed?.id,
      at: utcText(now),
      verdict: undefined,
      reentry: session.greeting.gate.reentry,
      isUndone: false,
      takesBack: undefined,
      answer: undefined,
      isRefused: false,
    };
  }

  #describe({ asked, code, scan, known, verdict }: Described): Shown {
    const { row, signed, mode } = asked;
    const { session, list } = known;
    const { events, tickets } = session.list;
    const ticketId = row?.[2] ?? signed?.ticket_id;
    const event = events.find(({ id }) => id === (row?.[1] ?? signed?.event_id ?? code?.event));
    const mayOverride = verdict === 'already-in' && session.greeting.gate.may_override && !asked.overrides;
    const group =
      row && verdict !== 'wrong-code'
        ? list.withPurchase(row[7]).filter((one) => one[1] === row[1] && one[3] === row[3])
        : [];
    const inside = group
      .slice(0, MOST_COMPANIONS)
      .filter((one) => timelineIn(one, { ...known, scansOf: (id) => this.#device.queue.of(id) }).isIn);
    return {
      verdict,
      mode,
      isConfirmed: false,
      scan,
      name: verdict === 'wrong-code' ? '' : (row?.[6] ?? ''),
      ticket: verdict === 'wrong-code' ? '' : (tickets.find(({ id }) => id === ticketId)?.title ?? ''),
      event: events.length > 1 ? (event?.title ?? '') : '',
      note: verdict === 'wrong-code' ? '' : (row?.[11] ?? ''),
      first: undefined,
      companions:
        group.length > 1 && group.length <= MOST_COMPANIONS ? { inside: inside.length, all: group.length } : undefined,
      owed: row?.[8] ?? 0,
      opens: verdict === 'too-early' ? (event?.opens_utc ?? undefined) : undefined,
      closed: verdict === 'too-late' ? (event?.closes_utc ?? undefined) : undefined,
      hint: verdict === 'unknown' && code && !row ? hintOf(code, known) : undefined,
      attendee: row?.[0],
      // The list may have changed since.
      again: () => this.#inTurn(() => this.#take({ ...asked, row: row && this.#device.list.row(row[0]) }, code)),
      override: mayOverride ? () => this.#override(asked, code) : undefined,
    };
  }

  #override(asked: Asked, code: TicketCode | undefined): Promise<void> {
    return this.#inTurn(() => this.#take({ ...asked, overrides: true }, code));
  }

  async #showUnknown(hint: Shown['hint']): Promise<void> {
    this.show({
      verdict: 'unknown',
      mode: this.mode.value,
      isConfirmed: false,
      name: '',
      ticket: '',
      event: '',
      note: '',
      first: undefined,
      companions: undefined,
      owed: 0,
      opens: undefined,
      closed: undefined,
      hint,
      scan: undefined,
      attendee: undefined,
      again: undefined,
      override: undefined,
    });
  }

  /** Undoes the last scan. */
  undo(): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.last.value;
      const known = this.#known;
      const id = last?.shown.scan?.sent.id;
      this.last.value = undefined;
      if (!last || !known || id === undefined || Date.now() > last.until) return;
      const scan = this.#device.queue.get(id);
      const undo = this.#newScan({ mode: 'look', row: undefined, code: 'none' }, undefined, known);
      await this.#keep({
        ...undo,
        verdict: 'undone',
        attendee: last.shown.scan?.attendee,
        takesBack: last.shown.mode === 'out' ? 'out' : 'in',
        sent: { ...undo.sent, mode: 'undo', undoes: id, attendee: null, let_in: null },
      });
      if (scan) await this.#keep({ ...scan, isUndone: true });
      this.shown.value = { ...last.shown, verdict: 'undone', isConfirmed: false, companions: undefined };
      this.#syncing.soon();
    });
  }
}

interface Described {
  asked: Asked;
  code: TicketCode | undefined;
  scan: OwnScan;
  known: Known;
  verdict: Verdict;
}

/** A scan with the decision of the device. */
function decided(scan: OwnScan, verdict: Verdict): OwnScan {
  const let_in = verdict === 'welcome' || verdict === 'goodbye';
  return { ...scan, verdict, sent: { ...scan.sent, let_in } };
}

/** Entry of the own list, without milliseconds; entries before the list was known have no time. */
const firstOf = ({ at }: { at: string }): Shown['first'] =>
  Number.isNaN(msOf(at)) ? undefined : { utc: at.slice(0, 19), place: '' };

function hintOf({ event, isOwn }: TicketCode, { session }: Known): Shown['hint'] {
  if (!isOwn) return 'other-site';
  return event !== undefined && session.list.events.every(({ id }) => id !== event) ? 'other-event' : undefined;
}
