import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Config } from '../../src/base/config.ts';
import { signWebhook } from './sign-webhook.ts';
import { Refusal, StripeAccount, type StripeEvent } from './stripe-account.ts';
import { payPage } from './stripe-pay-page.ts';
import { handle, type StandInRequest } from './stripe-requests.ts';

/**
 * Stand-in for Stripe on this machine, for the real SDK: strict about parameters, with the rules of idempotency keys,
 * pages on which a browser pays, signed webhooks on command, and faults.
 */

/** Behaviour of the next responses instead of the right one. */
export interface Fault {
  kind: 'hang' | '500' | '429' | 'html' | 'half' | 'closed' | 'other-shape';
  /** Requests that it meets: `POST /v1/refunds`; all by default. */
  request?: RegExp;
  /** Number of requests; one by default. */
  times?: number;
  /** Whether the request is carried out, and only its response lost. */
  isDone?: boolean;
}

/** Request whose response waits for a command. */
interface Held {
  request: RegExp;
  reached: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
}

interface KeptAnswer {
  /** Method, path and body of the first request with a key. */
  fingerprint: string;
  answer: Answer;
  at: number;
  isRunning: boolean;
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Seconds for which Stripe remembers a key. */
const KEY_LIFE = 86_400;
const HANG = 30_000;

export interface StandInOptions {
  now?: () => Date;
  port?: number;
  /** Webhooks are sent here at once, unless `isHeld`. */
  webhookUrl?: string;
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

export async function startStripe({ now = () => new Date(), port = 0, webhookUrl }: StandInOptions = {}) {
  const account = new StripeAccount(now);
  const key = 'sk_test_standin0000000001';
  const secret = 'whsec_standin0000000001';
  const faults: Fault[] = [];
  let held: Held | undefined;
  const kept = new Map<string, KeptAnswer>();
  /** Requests of the SDK: method and path. */
  const requests: string[] = [];
  const sockets = new Set<{ destroy(): void }>();
  let sent = 0;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', address);
    const body = await textOf(request);
    account.expireDue();
    if (url.pathname.startsWith('/pay/')) {
      payPage(account, { url, body, method: request.method }, response);
      return;
    }
    const method = request.method ?? 'GET';
    requests.push(`${method} ${url.pathname}`);
    standIn.onRequest?.(`${method} ${url.pathname}`);
    const call = { method, path: url.pathname, text: method === 'GET' ? url.search.slice(1) : body, origin: address };
    const fault = takeFault(`${method} ${url.pathname}`);
    const isLost = fault && !fault.isDone;
    const answer = isLost
      ? undefined
      : answerOnce(call, {
          authorization: request.headers.authorization,
          key: keyOf(request),
          isSlow: fault?.kind === 'hang',
        });
    await holdBack(`${method} ${url.pathname}`);
    if (fault) fail(fault, response, answer);
    else if (answer) send(response, answer);
  }

  async function holdBack(request: string): Promise<void> {
    if (!held?.request.test(request)) return;
    const { reached, released } = held;
    held = undefined;
    reached.resolve();
    await released.promise;
  }

  function takeFault(request: string): Fault | undefined {
    const index = faults.findIndex((fault) => fault.request?.test(request) ?? true);
    const fault = faults[index];
    if (!fault) return undefined;
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) faults.splice(index, 1);
    return fault;
  }

  function answerOnce(
    call: StandInRequest,
    sentWith: { authorization?: string; key?: string; isSlow: boolean },
  ): Answer {
    if (sentWith.authorization !== `Bearer ${key}`)
      return refusalOf(new Refusal(401, { message: `Invalid API Key provided: ${sentWith.authorization}` }));
    const { key: name } = sentWith;
    if (call.method !== 'POST' || name === undefined) return answerTo(call);
    const fingerprint = `${call.method} ${call.path} ${call.text}`;
    const before = kept.get(name);
    if (before && account.seconds() - before.at < KEY_LIFE) {
      if (before.fingerprint !== fingerprint)
        return refusalOf(
          new Refusal(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' }),
        );
      if (before.isRunning)
        return refusalOf(
          new Refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In progress.' }),
        );
      return { ...before.answer, headers: { 'idempotent-replayed': 'true' } };
    }
    const answer = answerTo(call);
    // An invalid request leaves its key free.
    if (answer.status === 400 && answer.body.includes('"param"')) return answer;
    const memory: KeptAnswer = { fingerprint, answer, at: account.seconds(), isRunning: sentWith.isSlow };
    kept.set(name, memory);
    if (sentWith.isSlow) setTimeout(() => Object.assign(memory, { isRunning: false }), HANG).unref();
    return answer;
  }

  function answerTo(call: StandInRequest): Answer {
    try {
      return { status: 200, body: JSON.stringify(handle(account, call)) };
    } catch (error) {
      if (error instanceof Refusal) return refusalOf(error);
      throw error;
    }
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      process.stderr.write(`stand-in of Stripe: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const webhookOf = (event: StripeEvent, options?: SignOptions): RequestInit =>
    signed(JSON.stringify(payloadOf(event)), options);

  /** A signed webhook, as `fetch` sends it. */
  function signed(body: string, { age = 0, signedWith = secret }: SignOptions = {}): RequestInit {
    return { method: 'POST', headers: signWebhook(body, signedWith, account.seconds() - age), body };
  }

  const standIn = {
    /** Called before a request is handled, for what happens at the same time. */
    onRequest: undefined as ((request: string) => void) | undefined,
    account,
    address,
    key,
    secret,
    requests,
    faults,
    /** Settings of a server that uses it. */
    settings: { stripeKey: key, stripeWebhookSecret: secret, stripeUrl: address } satisfies Partial<Config>,
    webhookOf,
    signed,
    /** Holds back the answer to the next such request until `release`; `reached` says that it has been handled. */
    hold(request: RegExp) {
      held = { request, reached: Promise.withResolvers(), released: Promise.withResolvers() };
      return { reached: held.reached.promise, release: held.released.resolve };
    },
    /** Webhooks of all events that were not taken before, in order. */
    takeWebhooks(options: SignOptions = {}): RequestInit[] {
      const fresh = account.events.slice(sent);
      sent = account.events.length;
      return fresh.map((event) => webhookOf(event, options));
    },
    /** Sends the webhooks of all new events to `webhookUrl`. */
    async sendWebhooks(): Promise<number[]> {
      const statuses: number[] = [];
      for (const webhook of this.takeWebhooks())
        statuses.push(webhookUrl === undefined ? 0 : (await fetch(webhookUrl, webhook)).status);
      return statuses;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return standIn;
}

interface SignOptions {
  /** Age of the signature in seconds. */
  age?: number;
  /** Secret of a forger. */
  signedWith?: string;
}

const payloadOf = ({ id, type, object, created }: StripeEvent) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});

const keyOf = ({ headers }: IncomingMessage): string | undefined => {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
};

function refusalOf({ status, type, code, param, message }: Refusal): Answer {
  return { status, body: JSON.stringify({ error: { type, code, param, message } }) };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_standin', ...headers });
  response.end(body);
}

function fail({ kind }: Fault, response: ServerResponse, answer?: Answer): void {
  const body =
    answer?.body ?? '{"id": "cs_test_lost", "object": "checkout.session", "url": "https://pay.example/lost"}';
  switch (kind) {
    case 'hang':
      setTimeout(() => send(response, { status: 200, body }), HANG).unref();
      return;
    case '500':
      send(response, {
        status: 500,
        body: JSON.stringify({ error: { type: 'api_error', message: 'Planted: sk_test_standin0000000001' } }),
        headers: { 'stripe-should-retry': 'false' },
      });
      return;
    case '429':
      send(response, {
        status: 429,
        body: JSON.stringify({ error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many' } }),
        headers: { 'retry-after': '17' },
      });
      return;
    case 'html':
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Bad gateway</title>');
      return;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, body.length / 2));
      setTimeout(() => response.destroy(), 20);
      return;
    case 'closed':
      response.destroy();
      return;
    case 'other-shape':
      send(response, { status: 200, body: '{"object": "teapot", "id": 7}' });
  }
}
