import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { faultsOf, readPaper } from '../../../test/paper.ts';
import { inVisualOrder, legible } from './letters.ts';
import { PaperBusy, PaperQueue } from './paper-queue.ts';
import type { InvoiceSheet, PaperTicket, TicketSheet } from './sheets.ts';

const NOW = new Date('2027-01-01T12:00:00Z');
const CODE = 'https://events.test/?event_qr_code=1&ticket_id=17&event_id=4&security_code=0123456789&path=calendar%2Fqr';
const REPLACED = 'Characters that are missing here are shown as □.';

const ticket = (changes: Partial<PaperTicket> = {}): PaperTicket => ({
  event: 'Lantern Night',
  warnings: [],
  facts: [{ label: 'When', lines: ['Saturday 6 March 2027, 18:30–21:00 EST'], isMain: true }],
  holder: [{ label: 'Name', lines: ['Ada Park'], isMain: true }],
  content: CODE,
  code: '0123456789',
  alt: 'QR code of Ada Park',
  notes: ['Bring this ticket.'],
  ...changes,
});

const named = (name: string): PaperTicket => ticket({ holder: [{ label: 'Name', lines: [name], isMain: true }] });

const sheet = (...tickets: PaperTicket[]): TicketSheet => ({
  ...{ kind: 'tickets', language: 'en', title: 'Tickets', siteName: 'Harbour Hall', replaced: REPLACED },
  tickets,
});

const queue = new PaperQueue();
const make = (made: TicketSheet | InvoiceSheet, fontFile?: string) =>
  queue.make({ sheet: made, fontFile, now: NOW }, { pages: 1 });

async function textOf(name: string): Promise<string> {
  const { bytes } = await make(sheet(named(name)));
  const [page] = await readPaper(bytes);
  return page?.text ?? '';
}

const flat = (text = ''): string => text.replace(/\s+/g, ' ');

describe('a ticket on paper', () => {
  it('is a page of A4 that qpdf accepts, tagged, with a code that is read when it is printed', async () => {
    const { bytes } = await make(sheet(ticket(), ticket({ content: CODE.replace('17', '18') })));
    expect(await faultsOf(bytes)).toEqual([]);
    const pages = await readPaper(bytes);
    expect(pages.map(({ size }) => size.map(Math.round))).toEqual([
      [595, 842],
      [595, 842],
    ]);
    expect(await Promise.all(pages.map((page) => page.code()))).toEqual([CODE, CODE.replace('17', '18')]);
    const text = flat(pages[0]?.text);
    for (const part of ['Harbour Hall', 'Lantern Night', '18:30–21:00 EST', 'Ada Park', '0123456789', 'Bring this'])
      expect(text).toContain(part);
    expect(text).not.toContain(REPLACED);
    const file = Buffer.from(bytes).toString('latin1');
    expect(file).toMatch(/\/Marked true/);
    expect(file).toMatch(/\/Lang \(en\)/);
    expect(file).toMatch(/\/S \/Figure/);
    // No font is embedded for texts that need none.
    expect(bytes.length).toBeLessThan(15_000);
    expect(file).not.toContain('/FontFile2');
  });

  it('keeps the times of a date in one line, and names an event of five lines in full', async () => {
    const event =
      'Lantern Night: an evening of chamber music by candlelight with the Harbour String Quartet and guests';
    const { bytes } = await make(sheet(ticket({ event }), named('Łukasz')));
    const pages = await readPaper(bytes);
    for (const { text } of pages) expect(text).toMatch(/^18:30–21:00 EST\r?$/m);
    expect(flat(pages[0]?.text)).toContain(event);
  });

  it('is reported by qpdf when it is damaged', async () => {
    const { bytes } = await make(sheet(ticket()));
    expect(await faultsOf(bytes.subarray(0, 4000))).not.toEqual([]);
  });

  it.each(['Łukasz Brzęczyszczykiewicz', 'Ωραία Παπαδοπούλου', 'Жанна Щукина', 'Đặng Thị Hồng', 'Ada 😀'])(
    'has the name %s',
    async (name) => {
      expect(flat(await textOf(name))).toContain(name);
    },
  );

  it.each([
    ['Ada 🎉 Park', 'Ada □ Park'],
    ['Ada 👩‍👩‍👧‍👦', 'Ada □'],
    ['田中 Aiko', '□□ Aiko'],
    ['नमस्ते', '□'],
    ['Ada\u0007\r\nPark\u202e\u2066', 'Ada Park'],
    ['\ud800Ada', 'Ada'],
  ])('replaces what the font lacks in %j, and says so', async (name, shown) => {
    const text = flat(await textOf(name));
    expect(text).toContain(shown);
    expect(text.includes(REPLACED)).toBe(shown.includes('□'));
  });

  it('orders the words of scripts that are written from right to left', () => {
    expect(inVisualOrder(['محمد', 'عبد', 'الله'], true)).toEqual(['الله', 'عبد', 'محمد']);
    expect(inVisualOrder(['ليلة', '2027', 'Lantern', 'Night'], true)).toEqual(['Lantern', 'Night', '2027', 'ليلة']);
    expect(inVisualOrder(['Night', 'of', 'عبد', 'الله'], false)).toEqual(['Night', 'of', 'الله', 'عبد']);
    expect(legible('a\u202eb\u2028c')).toBe('ab c');
  });

  it.each([
    ['x'.repeat(5000), 1],
    ['xy '.repeat(2000), 1],
    ['𝕏'.repeat(5000), 1],
    ['a\u0301\u0302\u0303'.repeat(2000), 1],
    ['ﷺ'.repeat(3000), 1],
    ['\u200d'.repeat(5000), 1],
    ['', 1],
  ])('stays on its page with the texts %#', async (text, count) => {
    const long = ticket({
      event: text,
      warnings: [text, text],
      facts: Array.from({ length: 20 }, () => ({ label: text, lines: [text, text], isMain: true })),
      holder: Array.from({ length: 20 }, () => ({ label: text, lines: Array<string>(50).fill(text) })),
      dates: { heading: text, lines: Array<string>(300).fill(text) },
      notes: [text, text, text],
      alt: text,
      code: text,
    });
    const { bytes } = await make({ ...sheet(long), siteName: text, title: text });
    const pages = await readPaper(bytes);
    expect(pages).toHaveLength(count);
    expect(await pages[0]?.code()).toBe(CODE);
  });

  it('is made for 500 places', async () => {
    const { bytes } = await make(sheet(...Array.from({ length: 500 }, (_, index) => named(`Łukasz ${index}`))));
    const pages = await readPaper(bytes);
    expect(pages).toHaveLength(500);
    expect(pages[499]?.text).toContain('Łukasz 499');
    expect(bytes.length).toBeLessThan(4_000_000);
  }, 30_000);

  it('uses the font of the operator for letters that the others lack, or says why it cannot', async () => {
    const own = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf');
    const letters = '⌒⌓⌔';
    expect((await textOf(letters)).includes('□□□')).toBe(true);
    const drawn = await make(sheet(named(letters)), own);
    expect(drawn.fontProblem).toBeUndefined();
    const [page] = await readPaper(drawn.bytes);
    expect(page?.text).toContain(letters);
    expect(page?.text).not.toContain('□');
    const { fontProblem, bytes } = await make(sheet(named('田中')), '/nowhere/font.ttf');
    expect(fontProblem).toMatch(/ENOENT/);
    expect((await readPaper(bytes))[0]?.text).toContain('□□');
    const { fontProblem: wrong } = await make(sheet(named('田中')), new URL(import.meta.url).pathname);
    expect(wrong).toMatch(/font/i);
  });
});

describe('an invoice on paper', () => {
  const invoice = (rows: number): InvoiceSheet => ({
    ...{ kind: 'invoice', language: 'de', title: 'Rechnung 2027-0001', siteName: 'Hafenhalle', replaced: REPLACED },
    seller: ['Hafenhalle GmbH', 'Kai 1', '20457 Hamburg'],
    customer: ['Park & Söhne', 'Łukasz Park'],
    facts: [{ label: 'Datum', lines: ['1. Januar 2027'] }],
    items: {
      head: ['Posten', 'Menge', 'Betrag'],
      rows: [
        ...Array.from({ length: rows }, (_, index) => ({ cells: [`Platz ${index}\nLaternennacht`, '2', '40,00 €'] })),
        { cells: ['Summe', '', `${rows * 40},00 €`], isTotal: true },
      ],
    },
    taxes: { caption: 'Steuern', head: ['Satz', 'Netto', 'Steuer'], rows: [{ cells: ['19 %', '33,61 €', '6,39 €'] }] },
    notes: ['Bitte überweisen Sie.'],
  });

  it('continues its lines on as many pages as they need', async () => {
    const { bytes } = await make(invoice(100));
    expect(await faultsOf(bytes)).toEqual([]);
    const pages = await readPaper(bytes);
    expect(pages.length).toBeGreaterThan(3);
    const text = flat(pages.map((page) => page.text).join(' '));
    for (const part of ['Rechnung 2027-0001', 'Łukasz Park', 'Platz 99', '4000,00 €', '33,61 €', 'überweisen'])
      expect(text).toContain(part);
    // The head of the table is on every page with lines.
    expect(text.match(/Posten Menge Betrag/g)?.length).toBeGreaterThanOrEqual(pages.length - 1);
  });

  it('is sound with hostile texts', async () => {
    const text = 'ﷺx𝕏 \u202e'.repeat(1500);
    const { notes: _notes, ...rest } = invoice(1);
    const { bytes } = await make({
      ...rest,
      title: text,
      seller: Array<string>(100).fill(text),
      customer: Array<string>(100).fill(text),
      items: { head: [text, text, text], rows: [{ cells: [`${text}\n${text}`, text, text] }] },
      notes: [text, text],
    });
    expect(await faultsOf(bytes)).toEqual([]);
    expect((await readPaper(bytes)).length).toBeLessThan(5);
  });
});

describe('the thread for documents', () => {
  const task = { sheet: sheet(ticket()), fontFile: undefined, now: NOW };

  it('makes one at a time, and refuses more than its limit', async () => {
    const busy = new PaperQueue({ pages: 10 });
    const made = Array.from({ length: 12 }, () => busy.make(task, { pages: 1 }));
    const patient = busy.make(task, { pages: 5, isPatient: true });
    const outcomes = await Promise.allSettled(made);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(10).fill('fulfilled'),
      ...Array<string>(2).fill('rejected'),
    ]);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toEqual([expect.any(PaperBusy), expect.any(PaperBusy)]);
    expect((refused[0] as PaperBusy).seconds).toBeGreaterThan(0);
    expect((await patient).bytes.length).toBeGreaterThan(1000);
    // A document of more pages than may wait is made when nothing else is.
    expect((await busy.make(task, { pages: 5000 })).bytes.length).toBeGreaterThan(1000);
  });

  it('is replaced when a document takes too long or breaks it, and the next one is made', async () => {
    const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const endless = program(
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;) {} });",
    );
    const slow = new PaperQueue({ time: 300 }, endless);
    await expect(Promise.all([1, 2].map(() => slow.make(task, { pages: 1 })))).rejects.toThrow('took too long');
    const broken = new PaperQueue(
      {},
      program(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('broken'); });",
      ),
    );
    for (const _time of [1, 2]) await expect(broken.make(task, { pages: 1 })).rejects.toThrow('broken');
    const greedy = new PaperQueue(
      { memory: 32 },
      program(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { const all = []; for (;;) all.push(Array.from({ length: 1e5 }, (_, at) => ({ at }))); });",
      ),
    );
    await expect(greedy.make(task, { pages: 1 })).rejects.toThrow(/memory/);
  }, 30_000);

  it('ends when it has been idle', async () => {
    const short = new PaperQueue({ idle: 20 });
    await short.make(task, { pages: 1 });
    expect(short.isRunning).toBe(true);
    await expect.poll(() => short.isRunning).toBe(false);
    expect((await short.make(task, { pages: 1 })).bytes.length).toBeGreaterThan(1000);
  });
});
