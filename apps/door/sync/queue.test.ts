import { array, asyncProperty, boolean, assert as check, constantFrom, nat, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, type DoorScan, type DoorScanAnswer } from '../../../packages/client/src/marquee-client.ts';
import type { OwnScan } from '../list/own-scan.ts';
import { Queue } from './queue.ts';

const scanOf = (order: number, fields: Partial<DoorScan> = {}): OwnScan => ({
  ...{ order, attendee: order % 3, at: '2027-03-06 18:30:00.000', verdict: 'welcome', reentry: 'never' },
  ...{ isUndone: false, takesBack: undefined, answer: undefined, isRefused: false },
  sent: {
    ...{ id: `scan-${String(order).padStart(5, '0')}`, mode: 'in', attendee: order, code: 'secret' },
    ...{ time: '2027-03-06T18:30:00.000Z', offset: 0, let_in: true, ...fields },
  },
});

const answerTo = ({ id }: DoorScan): DoorScanAnswer => ({
  ...{ id, verdict: 'welcome', first: null, clash: false, attendee: null },
});

const refusal = (status: number, code = 'rest_invalid_param') =>
  new ApiError(
    { status, code, message: '', data: {}, requestId: undefined, retryAfter: undefined },
    { method: 'POST', path: '/door/scans' },
  );

/** A store that survives restarts of the app. */
function storage() {
  const kept = new Map<string, OwnScan>();
  const keep = async (scan: OwnScan) => void kept.set(scan.sent.id, structuredClone(scan));
  const drop = async (ids: readonly string[]) => {
    for (const id of ids) kept.delete(id);
  };
  return { kept, queue: () => new Queue({ keep, drop }, [...kept.values()]) };
}

describe('the queue', () => {
  it('sends 5,000 scans in batches of 100, oldest first', async () => {
    const queue = storage().queue();
    for (let order = 5000; order > 0; order -= 1) await queue.keep(scanOf(order));
    const batches: number[][] = [];
    await queue.send(async (scans) => {
      batches.push(scans.map(({ attendee }) => attendee ?? 0));
      return scans.map(answerTo);
    });
    expect(batches.map(({ length }) => length)).toEqual(Array.from({ length: 50 }, () => 100));
    expect(batches.flat()).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect([queue.waiting, queue.answered.length]).toEqual([0, 5000]);
  });

  it('keeps no code of a scan with a response, and forgets the scan once the list has it', async () => {
    const { kept, queue: make } = storage();
    const queue = make();
    await queue.keep(scanOf(1));
    await queue.send(async (scans) => scans.map(answerTo));
    expect(kept.get('scan-00001')?.sent.code).toBe(null);
    expect(queue.of(1).length).toBe(1);
    await queue.drop(queue.answered);
    expect([queue.of(1), kept.size]).toEqual([[], 0]);
  });

  it('is not held back by a scan that the server cannot read, which is never dropped', async () => {
    const queue = storage().queue();
    for (let order = 1; order <= 7; order += 1) await queue.keep(scanOf(order));
    await queue.send(async (scans) => {
      if (scans.some(({ attendee }) => attendee === 5)) throw refusal(400);
      return scans.map(answerTo);
    });
    expect(queue.answered.length).toBe(6);
    expect(queue.refused.map(({ order }) => order)).toEqual([5]);
  });

  it('keeps all scans when the device is revoked, for their envelopes', async () => {
    const { kept, queue: make } = storage();
    const queue = make();
    await queue.keep(scanOf(1));
    const revoked = async () => {
      throw refusal(401, 'rest_forbidden');
    };
    await expect(queue.send(revoked)).rejects.toThrow();
    expect([queue.waiting, kept.size]).toEqual([1, 1]);
  });

  it('sends a decision that was made while the server was asked', async () => {
    const queue = storage().queue();
    const asked = scanOf(1, { let_in: null });
    await queue.keep(asked);
    const decisions: unknown[] = [];
    await queue.send(async (scans) => {
      decisions.push(scans[0]?.let_in);
      if (scans[0]?.let_in === null) await queue.keep(scanOf(1, { let_in: true }));
      return scans.map(answerTo);
    });
    expect([queue.waiting, decisions]).toEqual([0, [null, true]]);
  });

  it('gets one response for every scan, whatever is lost, and whenever the app dies', async () => {
    const step = record({
      scans: nat(4),
      fate: constantFrom('answer', 'lost request', 'lost answer', 'busy', 'half an answer'),
      dies: boolean(),
    });
    await check(
      asyncProperty(array(step, { maxLength: 12 }), async (steps) => {
        const store = storage();
        const server = new Map<string, number>();
        let queue = store.queue();
        let made = 0;
        const send = (fate: string) => async (scans: DoorScan[]) => {
          if (fate === 'lost request') throw new TypeError('Failed to fetch');
          if (fate === 'busy') throw refusal(503, 'busy');
          // The server does each id once.
          const taken = fate === 'half an answer' ? scans.slice(0, -1) : scans;
          for (const { id } of taken) if (!server.has(id)) server.set(id, server.size);
          if (fate === 'lost answer') throw new TypeError('Failed to fetch');
          return taken.map(answerTo);
        };
        for (const { scans, fate, dies } of steps) {
          const last = made + scans;
          for (; made < last; made += 1) await queue.keep(scanOf(made + 1));
          await queue.send(send(fate)).catch(() => undefined);
          if (dies) queue = store.queue();
          expect(queue.waiting + queue.answered.length).toBe(made);
        }
        await queue.send(send('answer'));
        expect([queue.waiting, server.size, queue.answered.length]).toEqual([0, made, made]);
        // In the order in which they were made.
        expect([...server.keys()]).toEqual([...server.keys()].sort());
      }),
    );
  });
});
