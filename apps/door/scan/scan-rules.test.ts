import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import { VERDICTS } from '../../../src/lib/door/door-verdict.ts';
import { GuestList } from '../list/guest-list.ts';
import { type OwnScan, ownTimeline } from '../list/own-scan.ts';
import type { Session } from '../list/session.ts';
import { pairingIn, readPairingCode, readTicketCode } from './code.ts';
import { decide, isSigned, type Known, lookUp, proofOf } from './decide.ts';
import { type Burst, burstAfter, NO_BURST } from './hand-scanner.ts';
import { lookOf } from './tone.ts';

const SITE = 'https://events.example';
const textOf = (params: Record<string, string>, origin = SITE) =>
  `${origin}/?${new URLSearchParams({ event_qr_code: '1', ...params })}`;
const TICKET = { ticket_id: '17', event_id: '4', security_code: '3f9a0c', path: 'calendar/tickets/v1/qr' };

describe('the text of a code', () => {
  it('names a ticket', () => {
    expect(readTicketCode(textOf(TICKET), SITE)).toEqual({
      ...{ id: 17, code: '3f9a0c', event: 4, kind: undefined, signature: undefined, isOwn: true },
    });
    const signed = textOf({ ...TICKET, kind: '9', sig: `2.${'A'.repeat(86)}` }, 'https://former.example');
    expect(readTicketCode(signed, SITE)).toMatchObject({
      ...{ kind: 9, signature: { key: 2, value: 'A'.repeat(86) }, isOwn: false },
    });
    expect(readTicketCode(textOf({ ticket_id: '17', security_code: 'x' }), SITE)?.event).toBe(undefined);
  });

  it.each([
    [''],
    ['17'],
    ['javascript:alert(1)'],
    ['https://events.example/event/lantern-night/'],
    ['https://['],
    [textOf({ ...TICKET, ticket_id: '0' })],
    [textOf({ ...TICKET, ticket_id: '17.5' })],
    [textOf({ ...TICKET, ticket_id: '9'.repeat(20) })],
    [textOf({ ...TICKET, security_code: '' })],
    [textOf({ ...TICKET, security_code: 'é' })],
    [textOf({ ...TICKET, security_code: 'x'.repeat(201) })],
    [textOf({ ...TICKET, padding: 'x'.repeat(3000) })],
  ])('names none: %s', (text) => {
    expect(readTicketCode(text, SITE)).toBe(undefined);
  });

  it('names a pairing code behind #', () => {
    expect(readPairingCode(`${SITE}/door/#pair=ABCDE12345`)).toBe('ABCDE12345');
    expect(readPairingCode('ABCDE12345')).toBe(undefined);
    expect([pairingIn('#pair='), pairingIn(''), pairingIn('#other=1')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a hand scanner', () => {
  type Key = [key: string, code: string, hasShift?: boolean];
  const type = (keys: readonly Key[], gap: number) => {
    let burst: Burst = NO_BURST;
    let scanned: string[] | undefined;
    keys.forEach(([key, code, hasShift = false], index) => {
      ({ burst, scanned } = burstAfter(burst, { key, code, hasShift, at: index * gap }));
    });
    return scanned;
  };
  const letters = (text: string): Key[] => [...text].map((key) => [key, `Key${key.toUpperCase()}`]);
  const ENTER: Key = ['Enter', 'Enter'];

  it.each([
    ['fast keys and Enter', [...letters('abcdefgh'), ENTER], 5, ['abcdefgh']],
    ['a person', [...letters('abcdefgh'), ENTER], 120, undefined],
    ['fast keys without Enter', letters('abcdefgh'), 5, undefined],
    ['too few keys', [...letters('abc'), ENTER], 5, undefined],
    [
      'Shift in between',
      [...letters('abc'), ['Shift', 'ShiftLeft'], ['D', 'KeyD', true], ...letters('ef'), ENTER],
      5,
      ['abcDef'],
    ],
    [
      'the US layout on a German phone',
      [
        ...letters('abc'),
        ['Ö', 'Semicolon', true],
        ['-', 'Slash'],
        ['´', 'Equal'],
        ['_', 'Slash', true],
        ['z', 'KeyY'],
        ENTER,
      ],
      5,
      ['abcÖ-´_z', 'abc:/=?y'],
    ],
  ] as [string, Key[], number, string[] | undefined][])('is told by its keys: %s', (_case, keys, gap, texts) => {
    expect(type(keys, gap)).toEqual(texts);
  });
});

const SECRET = Buffer.from('the secret of the list').toString('base64url');
const NOW = Date.parse('2027-03-06T18:30:00Z');
const HOUR = 3600_000;

const eventOf = (id: number, start: string, end: string) => ({
  ...{ id, title: `Night ${id}`, status: 'scheduled', timezone: 'UTC', start_date: start },
  ...{ utc_start_date: start, utc_end_date: end, opens_utc: null, closes_utc: null },
});

async function knownOf(rows: DoorRow[], scans: OwnScan[] = [], rules: object = {}, now = NOW): Promise<Known> {
  const session = {
    ...{ token: 't', since: 's', synced: NOW },
    greeting: {
      ...{ list_secret: SECRET, clashes: [], device: { id: 1, name: '' }, server_time: '' },
      gate: {
        ...{ id: 1, name: 'North', modes: ['in', 'out', 'look'], reentry: 'after_out', ticket_ids: [] },
        ...{ may_override: false, strict_minutes: null, ...rules },
      },
    },
    list: {
      ...{ tickets: [], keys: [], currency: 'USD' },
      events: [
        eventOf(4, '2027-03-06 18:00:00', '2027-03-06 21:00:00'),
        eventOf(5, '2027-03-13 18:00:00', '2027-03-13 21:00:00'),
      ],
    },
  } as unknown as Session;
  return {
    session,
    list: new GuestList(rows),
    scansOf: (attendee) => scans.filter((scan) => scan.attendee === attendee),
    now,
  };
}

const rowOf = async (id: number, fields: { event?: number; code?: string; codeId?: number; since?: string } = {}) => {
  const { event = 4, code = 'right', codeId = id, since = '' } = fields;
  const proof = await proofOf(SECRET, `${codeId}:${code}`);
  return [id, event, 2, 'ok', since, 0, 'Ada', 0, 0, codeId, proof, ''] satisfies DoorRow;
};

const own = (attendee: number, fields: Partial<OwnScan> = {}, sent: Partial<OwnScan['sent']> = {}): OwnScan => ({
  ...{ order: 1, attendee, at: '2027-03-06 18:20:00.000', verdict: 'welcome', reentry: 'after_out' },
  ...{ isUndone: false, takesBack: undefined, answer: undefined, isRefused: false },
  sent: { id: `own-${fields.order ?? 1}`, mode: 'in', attendee, time: '', let_in: true, ...sent },
  ...fields,
});

const codeOf = (id: number, code = 'right', more: Record<string, string> = {}) =>
  readTicketCode(textOf({ ticket_id: String(id), event_id: '4', security_code: code, ...more }), SITE)!;

const verdictOn = async (known: Known, code: ReturnType<typeof codeOf>) =>
  decide(await lookUp(code, 'in', known), known).verdict;

describe('a device on its own', () => {
  it.each([
    ['welcomes a ticket of its list', {}, [], 17, 'right', 'welcome'],
    ['refuses a wrong code', {}, [], 17, 'wrong', 'wrong-code'],
    ['does not know a ticket that is not in the list', {}, [], 99, 'right', 'unknown'],
    ['admits a ticket once', {}, [own(17)], 17, 'right', 'already-in'],
    ['admits it again if the scan was undone', {}, [own(17, { isUndone: true })], 17, 'right', 'welcome'],
    [
      'counts what the server answered',
      {},
      [own(17, { answer: { verdict: 'welcome', clash: false } }, { let_in: null })],
      17,
      'right',
      'already-in',
    ],
    ['does not count a refusal', {}, [own(17, { verdict: 'unpaid' }, { let_in: false })], 17, 'right', 'welcome'],
    [
      'admits after a check-out',
      {},
      [own(17), own(17, { order: 2, at: '2027-03-06 18:25:00.000', verdict: 'goodbye' }, { mode: 'out' })],
      17,
      'right',
      'welcome',
    ],
    ['admits no one on an old list, if it is strict', { strict_minutes: 10 }, [], 17, 'right', 'list-too-old'],
  ] as const)('%s', async (_case, rules, scans, id, code, verdict) => {
    const later = 'strict_minutes' in rules ? NOW + 11 * 60_000 : NOW;
    const known = await knownOf([await rowOf(17)], [...scans], rules, later);
    expect(await verdictOn(known, codeOf(id, code))).toBe(verdict);
  });

  it('undoes an entry that the list already has', () => {
    const undo = own(17, { takesBack: 'in', verdict: 'undone' }, { mode: 'undo', let_in: null });
    const stay = { since: '2027-03-06 18:10:00', hasLeft: false };
    expect(ownTimeline(stay, [undo], 'never')).toMatchObject({ isIn: false, hasLeft: false });
    const late = { ...undo, answer: { verdict: 'not-undone' as const, clash: false } };
    expect(ownTimeline(stay, [late], 'never').isIn).toBe(true);
    expect(ownTimeline({ since: '', hasLeft: true }, [own(17, { takesBack: 'out' })], 'never').isIn).toBe(true);
  });

  it('knows a series pass by its one code on every night', async () => {
    const rows = [await rowOf(17, { codeId: 17 }), await rowOf(18, { codeId: 17, event: 5 })];
    const pass = readTicketCode(textOf({ ticket_id: '17', security_code: 'right' }), SITE)!;
    const week = 7 * 24 * HOUR;
    for (const [now, attendee] of [
      [NOW, 17],
      [NOW - 3 * HOUR, 17],
      [NOW + 2 * 24 * HOUR, 17],
      [NOW + week, 18],
      [NOW + week - 5 * HOUR, 18],
    ] as const) {
      const asked = await lookUp(pass, 'in', await knownOf(rows, [], {}, now));
      expect([now - NOW, asked.row?.[0], asked.code]).toEqual([now - NOW, attendee, 'right']);
    }
    const used = await knownOf(rows, [own(17)], {}, NOW + week);
    expect(await verdictOn(used, pass)).toBe('welcome');
  });

  it('welcomes a ticket sold after the last list by its signature, once, and no altered one', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url');
    const sig = `3.${sign(null, Buffer.from('marquee-ticket:99:4:2:new'), privateKey).toString('base64url')}`;
    const known = await knownOf([]);
    Object.assign(known.session.list, { keys: [{ id: 3, public_key: raw }] });
    const code = (changes: Record<string, string> = {}) =>
      readTicketCode(
        textOf({ ticket_id: '99', event_id: '4', kind: '2', security_code: 'new', sig, ...changes }),
        SITE,
      )!;
    expect(await verdictOn(known, code())).toBe('welcome');
    expect(await verdictOn({ ...known, scansOf: (id) => (id === 99 ? [own(99)] : []) }, code())).toBe('already-in');
    for (const change of [{ ticket_id: '98' }, { event_id: '5' }, { kind: '1' }, { security_code: 'other' }])
      expect([change, await verdictOn(known, code(change))]).toEqual([change, 'unknown']);
    expect(await verdictOn(known, code({ sig: sig.replace('3.', '4.') }))).toBe('unknown');
  });

  it('tests signatures also in browsers without Ed25519', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64url');
    const good = sign(null, Buffer.from('text'), privateKey).toString('base64url');
    const importKey = crypto.subtle.importKey;
    crypto.subtle.importKey = async () => {
      throw new DOMException('Unrecognized name.', 'NotSupportedError');
    };
    try {
      expect([await isSigned('text', good, raw), await isSigned('other', good, raw)]).toEqual([true, false]);
    } finally {
      crypto.subtle.importKey = importKey;
    }
  });

  it('has a colour, a sign and a sound for every verdict', () => {
    for (const verdict of VERDICTS)
      expect(lookOf(verdict)).toEqual({ tone: expect.any(String), sign: expect.any(String) });
  });
});
