import { signal } from '@preact/signals';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import type { Admission } from '../../../src/lib/door/door-verdict.ts';
import { utcText } from '../list/clock.ts';
import { GuestList } from '../list/guest-list.ts';
import type { Session } from '../list/session.ts';
import { proofOf } from '../scan/decide.ts';
import { t } from './texts.ts';

/** Rehearsal with sample guests: nothing is stored or sent. */

/** Codes that can be tried without paper. */
export const demoCodes = signal<{ name: string; text: string }[]>([]);

const SECRET = 'cmVoZWFyc2Fs';
const HOUR = 3600_000;

type Guest = [
  name: string,
  ticket: number,
  admission: Admission,
  purchase: number,
  owed: number,
  special?: 'in' | 'note',
];

const GUESTS: readonly Guest[] = [
  ['Ada Lovelace', 1, 'ok', 1, 0],
  ['Charles Babbage', 1, 'ok', 1, 0],
  ['Mary Shelley', 2, 'ok', 2, 0, 'in'],
  ['Clara Schumann', 1, 'unpaid', 3, 4000],
  ['Émilie du Châtelet', 1, 'cancelled', 4, 0],
  ['Johann Bernoulli', 2, 'refunded', 5, 0],
  ['Sofja Kowalewskaja', 1, 'pending', 6, 0],
  ['Évariste Galois', 2, 'ok', 7, 0, 'note'],
];

const codeOf = (id: number, code: string): string =>
  `${location.origin}/?event_qr_code=1&ticket_id=${id}&event_id=1&security_code=${code}`;

/** An evening with a guest for each verdict. */
export async function rehearsal(): Promise<[Session, GuestList]> {
  const now = Date.now();
  const rows = await Promise.all(
    GUESTS.map(async ([name, ticket, admission, purchase, owed, special], index): Promise<DoorRow> => {
      const since = special === 'in' ? utcText(now - HOUR / 3).slice(0, 19) : '';
      const id = index + 1;
      const proof = await proofOf(SECRET, `${id}:rehearsal-${id}`);
      const note = special === 'note' ? t('rehearsal.note') : '';
      return [id, 1, ticket, admission, since, 0, name, purchase, owed, id, proof, note];
    }),
  );
  demoCodes.value = [
    ...GUESTS.map(([name], index) => ({ name, text: codeOf(index + 1, `rehearsal-${index + 1}`) })),
    { name: t('rehearsal.copy'), text: codeOf(1, 'copied') },
    { name: t('rehearsal.unknown'), text: 'https://example.org/' },
  ];
  const event = {
    id: 1,
    title: t('rehearsal.event'),
    status: 'scheduled',
    timezone: 'UTC',
    opens_utc: null,
    closes_utc: null,
    start_date: utcText(now).slice(0, 19),
    utc_start_date: utcText(now).slice(0, 19),
    utc_end_date: utcText(now + 3 * HOUR).slice(0, 19),
  };
  const session: Session = {
    token: '',
    since: 'rehearsal',
    synced: now,
    greeting: {
      server_time: new Date(now).toISOString(),
      device: { id: 0, name: '' },
      gate: {
        id: 0,
        name: t('rehearsal.gate'),
        modes: ['in', 'out', 'look'],
        reentry: 'after_out',
        names: 'full',
        ticket_ids: [],
        may_search: true,
        may_undo: true,
        may_override: true,
        may_sell: false,
        needs_pin: false,
        strict_minutes: null,
        expires_utc: null,
      },
      list_secret: SECRET,
      seal_key: '',
      clashes: [],
    },
    list: {
      events: [event],
      tickets: [
        { id: 1, event_id: 1, title: t('rehearsal.adult') },
        { id: 2, event_id: 1, title: t('rehearsal.student') },
      ],
      keys: [],
      currency: 'EUR',
    },
  };
  return [session, new GuestList(rows)];
}
