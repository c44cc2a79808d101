import { computed, effect, signal } from '@preact/signals';
import { utcText } from '../list/clock.ts';
import { readPairingCode, readTicketCode } from '../scan/code.ts';
import { timelineIn } from '../scan/decide.ts';
import { Scanning } from '../scan/scanning.ts';
import { allowSounds, play } from '../scan/sounds.ts';
import { lookOf } from '../scan/tone.ts';
import { Device } from '../sync/device.ts';
import { Syncing } from '../sync/syncing.ts';

/** The one device, and what its screens share. */

export const device = new Device();
export const syncing = new Syncing(device);
export const scanning = new Scanning(device, syncing);

export const DEFAULT_VOLUME = 2;

/** Milliseconds since 1970, each second while the app is seen. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);

/** Milliseconds for which a welcome is shown. */
const GLANCE = 1200;
let glance: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const shown = scanning.shown.value;
  clearTimeout(glance);
  if (!shown) return;
  const { tone } = lookOf(shown.verdict);
  play(tone, device.choices.peek().volume ?? DEFAULT_VOLUME);
  const isBrief = (tone === 'yes' && !shown.override) || tone === 'quiet';
  if (isBrief) glance = setTimeout(dismiss, GLANCE);
});

/** Makes room for the next ticket. */
export function dismiss(): void {
  scanning.shown.value = undefined;
}

/** Milliseconds of the recent entries. */
const RECENT = 15 * 60_000;

export interface Figures {
  inside: number;
  expected: number;
  left: number;
  /** Guests inside who came in the last 15 minutes. */
  recent: number;
  tickets: { title: string; inside: number; expected: number }[];
}

/** Numbers of the list, with own scans that it does not know yet. */
export const figures = computed((): Figures => {
  void device.version.value;
  const session = device.session.value;
  const { list, queue } = device;
  const byTicket = new Map<number, { title: string; inside: number; expected: number }>();
  const sum: Figures = { inside: 0, expected: 0, left: 0, recent: 0, tickets: [] };
  const since = utcText(device.server.now() - RECENT);
  if (!session) return sum;
  for (const { id, title } of session.list.tickets) byTicket.set(id, { title, inside: 0, expected: 0 });
  const changed = new Set(queue.attendees);
  for (const row of list.rows) {
    const [id, , ticket, admission, entered, hasLeft] = row;
    const own = changed.has(id) ? timelineIn(row, { session, scansOf: (one) => queue.of(one) }) : undefined;
    const isIn = own ? own.isIn : entered !== '';
    const isGone = own ? own.hasLeft : hasLeft === 1;
    if (admission !== 'ok' && !isIn) continue;
    const kind = byTicket.get(ticket);
    sum.expected += 1;
    if (kind) kind.expected += 1;
    if (isIn) sum.inside += 1;
    if (isIn && kind) kind.inside += 1;
    if (isGone) sum.left += 1;
    if (isIn && (own?.entry?.at ?? entered) >= since) sum.recent += 1;
  }
  return { ...sum, tickets: [...byTicket.values()].filter(({ expected }) => expected > 0) };
});

/** Scans that have yet to be sent. */
export const waiting = computed(() => {
  void device.version.value;
  return device.queue.waiting + device.left.value;
});

/** Begins the shift; only a tap may allow sounds. */
export function openDoor(): void {
  allowSounds();
  device.phase.value = 'open';
  syncing.now();
}

/** Pairing code that waits to be used: from the address that opened the app, scanned or typed. */
export const offeredCode = signal('');

/**
 * Text that a hand scanner typed: a ticket while the door is open, a pairing code before. The first text that is such a
 * code counts.
 */
export function takeScanned(texts: readonly string[]): void {
  const firstOr = (isCode: (text: string) => unknown) => texts.find(isCode) ?? texts[0] ?? '';
  scannedText.value = firstOr((text) => readTicketCode(text, location.origin));
  if (device.phase.value === 'open') scanning.scan(scannedText.value);
  if (device.phase.value === 'unpaired') offeredCode.value = pairingCodeOf(firstOr(readPairingCode));
}

/** The last text of a hand scanner, to be tried in the settings. */
export const scannedText = signal('');

/** Pairing code in a scanned or typed text: an address that contains it, or the code itself. */
export const pairingCodeOf = (text: string): string => (readPairingCode(text.trim()) ?? text.trim()).slice(0, 40);
