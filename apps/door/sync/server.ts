import {
  type Answer,
  ApiError,
  createClient,
  type DoorScan,
  type DoorScanAnswer,
  type Input,
  type Operation,
} from '../../../packages/client/src/marquee-client.ts';
import { clockAfter, type ServerClock } from '../list/clock.ts';
import type { ListAnswer, Sale } from '../list/session.ts';

/** Requests of a device. Each is sent once: `syncing.ts` repeats them. */

const TIMEOUT = 15_000;

/**
 * Why a request failed: no response of this server, such as the page of a portal; busy; no longer admitted; refused.
 */
export type Failure = 'offline' | 'busy' | 'revoked' | 'refused';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'offline';
  const { status, code } = error;
  // Responses of anything between device and server lack our codes.
  if (status === 401) return code === 'rest_forbidden' ? 'revoked' : 'offline';
  // A limit of the day: waiting does not help.
  if (code === 'too-many-mails') return 'refused';
  if (status === 429 || status >= 500) return 'busy';
  return code.startsWith('http_') ? 'offline' : 'refused';
}

export const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.retryAfter : undefined;

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;

/**
 * Milliseconds to wait after failures in a row: doubled each time, half of it random, so that the phones of an evening
 * do not all return at once; at least as long as the server asks.
 * @param retryAfter seconds that the server asked for
 */
export function waitAfter(failures: number, retryAfter: number | undefined, random: () => number): number {
  const longest = Math.min(FIRST_WAIT * 2 ** Math.max(0, failures - 1), LONGEST_WAIT);
  return Math.max(longest / 2 + (longest / 2) * random(), (retryAfter ?? 0) * 1000);
}

/** A JSON response that does not come from this server. */
class ForeignAnswer extends Error {}

interface Timed {
  timeout?: number;
}

export type Sold = Answer<'POST /admin/v1/door/sales'>;

export class DoorServer {
  /** Clock of the server, as the last responses tell; undefined before the first one. */
  clock: ServerClock | undefined;
  /** When the server last responded, and how long that took, in milliseconds by the clock of the device. */
  answered: { at: number; took: number } | undefined;
  language = 'en';

  readonly #client: (token?: string) => ReturnType<typeof createClient>;

  constructor(origin: string, clock?: ServerClock) {
    this.clock = clock;
    this.#client = (token) =>
      createClient({ url: origin, retries: 0, timeout: TIMEOUT, ...(token !== undefined && { checkInKey: token }) });
  }

  /** Time by the clock of the server, in milliseconds. */
  now(): number {
    return Date.now() + this.offset;
  }

  get offset(): number {
    return this.clock?.offset ?? 0;
  }

  pair(code: string, name: string) {
    return this.#call('POST /admin/v1/door/pair', { code, ...(name !== '' && { name }) }, {});
  }

  async hello(token: string, report: Input<'POST /admin/v1/door/hello'>) {
    const sent = Date.now();
    const greeting = await this.#call('POST /admin/v1/door/hello', report, { token });
    if (!('list_secret' in greeting)) throw new ForeignAnswer();
    this.#learn(sent, greeting.server_time);
    return greeting;
  }

  /** A page of the list. */
  async list(token: string, input: Input<'GET /admin/v1/door/attendees'>): Promise<ListAnswer> {
    const answer = await this.#call('GET /admin/v1/door/attendees', input, { token });
    if (typeof answer?.token !== 'string' || !Array.isArray(answer.attendees)) throw new ForeignAnswer();
    return answer;
  }

  /** Sends scans; the responses are in their order. */
  async scans(token: string, scans: DoorScan[], { timeout }: Timed = {}): Promise<DoorScanAnswer[]> {
    const sent = Date.now();
    const answer = await this.#call('POST /admin/v1/door/scans', { scans }, { token, timeout });
    if (!Array.isArray(answer?.scans)) throw new ForeignAnswer();
    this.#learn(sent, answer.server_time);
    return answer.scans;
  }

  /** Sends envelopes, which hold the tokens of their devices. @returns whether the server has taken each */
  async sealed(envelopes: string[]): Promise<boolean[]> {
    const answer = await this.#call('POST /admin/v1/door/sealed', { sealed: envelopes }, {});
    if (answer?.accepted?.length !== envelopes.length) throw new ForeignAnswer();
    return answer.accepted;
  }

  async offers(token: string) {
    const answer = await this.#call('GET /admin/v1/door/offers', {}, { token });
    if (!Array.isArray(answer?.tickets)) throw new ForeignAnswer();
    return answer;
  }

  /** Sells, or takes money. The same id again gets the first response. */
  async sell(token: string, sale: Sale): Promise<Sold> {
    const answer = await ('items' in sale
      ? this.#call('POST /admin/v1/door/sales', sale, { token })
      : this.#call('POST /admin/v1/door/payments', sale, { token }));
    if (answer?.id !== sale.id) throw new ForeignAnswer();
    return answer;
  }

  /** Money that this device has taken today. */
  async takings(token: string) {
    const answer = await this.#call('GET /admin/v1/door/sales', {}, { token });
    if (!Array.isArray(answer?.device)) throw new ForeignAnswer();
    return answer.device;
  }

  async #call<O extends Operation>(
    operation: O,
    input: Input<O>,
    { token, timeout }: Timed & { token?: string },
  ): Promise<Answer<O>> {
    const sent = performance.now();
    const options = {
      headers: { 'Accept-Language': this.language },
      ...(timeout !== undefined && { timeout }),
    };
    // Operation, parameters and response belong together by the types of this method.
    const call = this.#client(token).call as (...sent: unknown[]) => Promise<Answer<O>>;
    const answer = await call(operation, input, options);
    this.answered = { at: Date.now(), took: performance.now() - sent };
    return answer;
  }

  #learn(sent: number, serverTime: string): void {
    const server = Date.parse(serverTime);
    if (Number.isFinite(server)) this.clock = clockAfter(this.clock, { sent, received: Date.now(), server });
  }
}
