import { describe, expect, it } from 'vitest';
import { Problem } from '../../../apps/client/problem.ts';
import {
  type EventWrites,
  makeEvent,
  type SentSoFar,
  type TicketInput,
} from '../../../apps/console/features/events/new-event/make-event.ts';
import { ConnectionError } from '../../../packages/client/src/marquee-client.ts';

type Fault = 'refused' | 'no answer' | 'not sent';
type Step = 'createEvent' | 'changeEvent' | 'createTicket' | 'removeTicket' | 'createSeries' | 'removeSeries';

const EVENT = { title: 'Lantern Night', start_date: '2027-03-06 18:30:00', end_date: '2027-03-06 21:00:00' };
const TICKET: TicketInput = { name: 'Admission', provider: 'tc', price: '12' };

const refusal = (status: number) =>
  Problem.ofAnswer(status, { code: 'rest_invalid_param', message: 'No.', data: { status } });
const lost = () => new Problem(new ConnectionError('lost', { method: 'POST', path: '/events' }));

const WEEKLY = { rrule: 'FREQ=WEEKLY;COUNT=20' };

interface Typed {
  title?: string;
  /** null if the event does not repeat. */
  recurrence?: typeof WEEKLY | null;
  /** null if the event is free. */
  ticket?: TicketInput | null;
  status?: 'publish' | 'draft';
}

/** A server that makes what it is asked for once per key, and a browser that keeps what was sent. */
function createSite() {
  const events = new Map<number, Record<string, unknown>>();
  const trash = new Map<number, Record<string, unknown>>();
  const tickets = new Map<number, { event: number } & TicketInput>();
  const series = new Map<number, { event: number; rrule?: string; status: unknown }>();
  const answers = new Map<string, number>();
  /** Whether tickets of published events were ever missing. */
  const published: boolean[] = [];
  let fault: { step: Step; kind: Fault } | undefined;
  let kept: SentSoFar = {};
  let last = 0;
  const during = async <T>(step: Step, act: () => T): Promise<T> => {
    const now = fault?.step === step ? fault.kind : undefined;
    if (now) fault = undefined;
    if (now === 'refused') throw refusal(400);
    if (now === 'not sent') throw lost();
    const result = act();
    if (now === 'no answer') throw lost();
    return result;
  };
  const once = (key: string, input: unknown, make: (id: number) => void): number => {
    const known = answers.get(`${key} ${JSON.stringify(input)}`);
    if (known !== undefined) return known;
    if ([...answers.keys()].some((one) => one.startsWith(`${key} `))) throw refusal(422);
    last += 1;
    make(last);
    answers.set(`${key} ${JSON.stringify(input)}`, last);
    return last;
  };
  const writes: EventWrites = {
    createEvent: (input, key) => during('createEvent', () => once(key, input, (id) => events.set(id, { ...input }))),
    changeEvent: (id, changes) =>
      during('changeEvent', () => {
        // A status takes an event from the trash, alone.
        const event = events.get(id) ?? (changes.status ? trash.get(id) : undefined);
        if (!event) throw refusal(404);
        events.set(id, event);
        Object.assign(event, changes);
        if (changes.status === 'publish') published.push([...tickets.values()].some((one) => one.event === id));
      }),
    createTicket: (event, input, key) =>
      during('createTicket', () => {
        if (Number.isNaN(Number(input.price))) throw refusal(400);
        return once(key, input, (id) => tickets.set(id, { event, ...input }));
      }),
    removeTicket: (_, id) => during('removeTicket', () => tickets.delete(id)),
    createSeries: (event, input, key) =>
      during('createSeries', () =>
        once(key, input, (id) => series.set(id, { event, ...input, status: events.get(event)?.status })),
      ),
    removeSeries: (id) =>
      during('removeSeries', () => {
        const { event } = series.get(id) ?? {};
        if (event === undefined) throw refusal(404);
        series.delete(id);
        for (const [ticket, of] of tickets) if (of.event === event) tickets.delete(ticket);
        trash.set(event, events.get(event) ?? {});
        events.delete(event);
      }),
    newKey: () => `key ${Math.random()}`,
    keep: (sent) => {
      kept = structuredClone(sent);
    },
  };
  return {
    events,
    tickets,
    series,
    published,
    fail: (step: Step, kind: Fault) => {
      fault = { step, kind };
    },
    /** As after a reload: only what was kept is known. */
    make: ({ title = EVENT.title, ticket = TICKET, recurrence = WEEKLY, status = 'publish' }: Typed = {}) =>
      makeEvent(
        { event: { ...EVENT, title }, ticket: ticket ?? undefined, recurrence: recurrence ?? undefined, status },
        kept,
        writes,
      ),
  };
}

const STEPS: readonly Step[] = ['createEvent', 'createTicket', 'changeEvent', 'createSeries'];
const FAULTS: readonly Fault[] = ['refused', 'no answer', 'not sent'];

describe('a new event', () => {
  it('is a draft until its ticket is there', async () => {
    const site = createSite();
    const id = await site.make();
    expect(site.events.get(id)).toMatchObject({ ...EVENT, status: 'publish' });
    expect([...site.tickets.values()]).toEqual([{ event: id, ...TICKET }]);
    expect(site.published).toEqual([true]);
    expect([...site.series.values()]).toEqual([{ event: id, ...WEEKLY, status: 'publish' }]);
  });

  describe.each(STEPS)('that fails at %s', (step) => {
    it.each(FAULTS)('is still made once, also after a reload and with another title: %s', async (kind) => {
      const site = createSite();
      site.fail(step, kind);
      await expect(site.make()).rejects.toBeInstanceOf(Problem);
      if (step.endsWith('Event') || step === 'createTicket') expect(site.series.size).toBe(0);
      if (step === 'createEvent' || step === 'createTicket') expect(site.published).toEqual([]);
      const id = await site.make({ title: 'Lantern Nights', ticket: { ...TICKET, price: '15' } });
      expect([...site.events]).toEqual([[id, expect.objectContaining({ title: 'Lantern Nights', status: 'publish' })]]);
      expect([...site.tickets.values()]).toEqual([{ event: id, ...TICKET, price: '15' }]);
      expect(site.published).not.toContain(false);
      expect([...site.series.values()]).toEqual([{ event: id, ...WEEKLY, status: 'publish' }]);
    });

    it.each(FAULTS)('repeats by the latest rule, or not at all: %s', async (kind) => {
      const other = { rrule: 'FREQ=DAILY;COUNT=3' };
      for (const recurrence of [other, null]) {
        const site = createSite();
        site.fail(step, kind);
        await expect(site.make()).rejects.toBeInstanceOf(Problem);
        const id = await site.make({ recurrence });
        expect([...site.events.keys()]).toEqual([id]);
        expect([...site.series.values()]).toEqual(recurrence ? [{ event: id, ...other, status: 'publish' }] : []);
      }
    });

    it.each(FAULTS)('has no ticket if it is free by then: %s', async (kind) => {
      const site = createSite();
      site.fail(step, kind);
      await expect(site.make()).rejects.toBeInstanceOf(Problem);
      await site.make({ ticket: null });
      expect(site.events.size).toBe(1);
      expect(site.tickets.size).toBe(0);
    });
  });

  describe.each(['with another recurrence', 'with the first one again', 'without one'])(
    'that is sent again %s',
    (next) => {
      it.each(FAULTS)('is made once though the removal of its series failed: %s', async (kind) => {
        const other = { rrule: 'FREQ=DAILY;COUNT=3' };
        const last = { 'with another recurrence': other, 'with the first one again': WEEKLY, 'without one': null }[
          next
        ];
        const site = createSite();
        site.fail('createSeries', 'no answer');
        await expect(site.make()).rejects.toBeInstanceOf(Problem);
        site.fail('removeSeries', kind);
        await expect(site.make({ recurrence: other })).rejects.toBeInstanceOf(Problem);
        const id = await site.make({ recurrence: last ?? null });
        expect([...site.events.keys()]).toEqual([id]);
        expect([...site.tickets.values()]).toEqual([{ event: id, ...TICKET }]);
        expect([...site.series.values()]).toEqual(last ? [{ event: id, ...last, status: 'publish' }] : []);
      });
    },
  );

  it('keeps a series that is wanted again after its removal was refused', async () => {
    const site = createSite();
    site.fail('createSeries', 'no answer');
    await expect(site.make()).rejects.toBeInstanceOf(Problem);
    const [[first] = []] = site.events;
    site.fail('removeSeries', 'refused');
    await expect(site.make({ recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } })).rejects.toBeInstanceOf(Problem);
    expect(await site.make()).toBe(first);
    expect([...site.series.values()]).toEqual([{ event: first, ...WEEKLY, status: 'publish' }]);
  });

  it('goes on with another price if the former one, whose response was lost, is refused', async () => {
    const site = createSite();
    site.fail('createTicket', 'not sent');
    await expect(site.make({ ticket: { ...TICKET, price: 'twelve' } })).rejects.toBeInstanceOf(Problem);
    const id = await site.make();
    expect([...site.events.keys()]).toEqual([id]);
    expect([...site.tickets.values()]).toEqual([{ event: id, ...TICKET }]);
  });

  it('begins anew if its draft has been removed meanwhile', async () => {
    const site = createSite();
    site.fail('createTicket', 'refused');
    await expect(site.make()).rejects.toBeInstanceOf(Problem);
    site.events.clear();
    const id = await site.make({ title: 'Again' });
    expect([...site.events.keys()]).toEqual([id]);
  });

  it('stays a draft if that is asked for', async () => {
    const site = createSite();
    const id = await site.make({ status: 'draft' });
    expect(site.events.get(id)).toMatchObject({ status: 'draft' });
  });
});
