import {
  type Answer,
  createClient,
  type Input,
  type Operation,
  randomKey,
} from '../../packages/client/src/marquee-client.ts';
import { isProblem, Problem, problemOf } from './problem.ts';
import { announcingClock } from './waits.ts';

interface CallOptions {
  signal?: AbortSignal;
  /** Language of the texts that are read and written; by default that of messages if the site has it. */
  language?: string | undefined;
  /** Revision on which a write is based: it is refused with `edit-conflict` if the record has changed since. */
  revision?: number | undefined;
  /** Idempotency key of a write; each call has its own by default. */
  key?: string;
}

/** Parameters of an operation, without those that the client adds. */
type Sent<O extends Operation> = Omit<Input<O>, 'add_ticket_nonce' | 'edit_ticket_nonce' | 'remove_ticket_nonce'>;

/** Arguments after the operation: its parameters, optional if none is required, and options. */
export type CallArguments<O extends Operation> =
  Record<never, never> extends Sent<O>
    ? [input?: Sent<O>, options?: CallOptions]
    : [input: Sent<O>, options?: CallOptions];

/** Number of attempts at sending bytes, and milliseconds between them. */
const SEND_ATTEMPTS = 5;
const SEND_PAUSE = 2000;

let messageLanguage = 'en';
const marquee = createClient({ url: location.origin, idempotencyKey: randomKey, clock: announcingClock });

let onSignedOut: () => void = () => undefined;

/** Sets the reaction to the end of the session. */
export function setOnSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

let confirm: () => Promise<boolean> = async () => false;

/** Sets how the session is confirmed when the server requires it; resolves to whether it was. */
export function setOnConfirmationRequired(listener: () => Promise<boolean>): void {
  confirm = listener;
}

/** Whether the form of an operation asks for the password or a code itself. */
const asksForProof = (operation: string, input: object): boolean =>
  'current_password' in input || (/^\w+ \/admin\/v1\/me\//.test(operation) && ('password' in input || 'code' in input));

/** Whether an operation is about the session itself, so that 401 does not mean that it ended. */
const isAboutSession = (operation: string): boolean => /^\w+ \/admin\/v1\/(me$|session)/.test(operation);

/** Sets the language of the server's messages, and the default language of texts if the site has it. */
export function setMessageLanguage(language: string): void {
  messageLanguage = language;
}

let siteLanguages: readonly string[] = [];

/** Sets the languages of the site; the server refuses calls in other languages. */
export function setSiteLanguages(languages: readonly string[]): void {
  siteLanguages = languages;
}

const textLanguage = () => siteLanguages.find((one) => one === messageLanguage);

/**
 * Sends an operation of the interface, such as `call('PATCH /events/v1/events/{id}', { id, title }, { revision })`.
 * Lost connections are retried; writes of tickets get their one-time token; a call that requires a confirmation is sent
 * again once the session is confirmed.
 * @throws {Problem} with the server's code, message and fields; `secret-shown` if the response with a secret was lost
 */
export async function call<O extends Operation>(operation: O, ...rest: CallArguments<O>): Promise<WholeAnswer<O>> {
  const [input, { signal, language = textLanguage(), revision, key } = {}] = rest;
  const headers: Record<string, string> = {
    'Accept-Language': messageLanguage,
    ...(revision !== undefined && { 'If-Match': `"r${revision}"` }),
  };
  const options = {
    signal,
    headers,
    ...(language !== undefined && { language }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const sent = input ?? {};
  try {
    return whole(await send(operation, sent, options));
  } catch (error) {
    const problem = problemOf(error);
    if (isProblem(problem, 'confirmation-required') && !asksForProof(operation, sent) && (await confirm()))
      return call(operation, ...rest);
    if (isProblem(problem) && problem.status === 401 && !isAboutSession(operation)) onSignedOut();
    throw problem;
  }
}

/** Response to the first of several equal requests, which alone contains a secret. */
type WholeAnswer<O extends Operation> = Exclude<Answer<O>, WithoutSecret>;
type WithoutSecret = { secret_shown: true; message: string };

function whole<T>(answer: T): Exclude<T, WithoutSecret> {
  // Other responses have neither member; the type leaves out those with the first.
  const { secret_shown, message } = (answer ?? {}) as Partial<WithoutSecret>;
  if (secret_shown) throw Problem.ofAnswer(200, { code: 'secret-shown', message });
  return answer as Exclude<T, WithoutSecret>;
}

type Params = Record<string, unknown>;
type Options = Parameters<typeof marquee.events.list>[1];
type Tickets = typeof marquee.tickets;
type SendBy = (operation: string, input: Params, options: Options) => Promise<unknown>;

/** Operations on tickets, by the methods of the client that fetch one-time tokens. */
const TICKETS: Readonly<Record<string, SendBy>> = {
  'POST /tickets/v1/tickets': (_, input, options) =>
    marquee.tickets.create(input as Parameters<Tickets['create']>[0], options),
  'PATCH /tickets/v1/tickets/{id}': (_, { id, ...input }, options) =>
    marquee.tickets.update(Number(id), input as Parameters<Tickets['update']>[1], options),
  'DELETE /tickets/v1/tickets/{id}': (_, { id, ...input }, options) =>
    marquee.tickets.delete(Number(id), input as Parameters<Tickets['delete']>[1], options),
};

function send<O extends Operation>(operation: O, input: object, options: Options): Promise<Answer<O>> {
  const by = TICKETS[operation] ?? (marquee.call as SendBy);
  // The caller's types belong to the operation.
  return by(operation, input as Params, options) as Promise<Answer<O>>;
}

/**
 * Sends bytes as they are, which no operation of the client does, such as a part of a file. A lost connection is tried
 * again a few times.
 * @param path below `/calendar`
 * @throws {Problem}
 */
export async function sendBytes(path: string, bytes: Blob, signal: AbortSignal): Promise<void> {
  const headers = { 'Content-Type': 'application/octet-stream', 'Accept-Language': messageLanguage };
  for (let left = SEND_ATTEMPTS; ; left--) {
    try {
      const response = await fetch(`/calendar${path}`, { method: 'PUT', headers, body: bytes, signal });
      if (response.ok) return;
      throw Problem.ofAnswer(response.status, await response.json().catch(() => undefined));
    } catch (error) {
      const isPassing = error instanceof TypeError || (isProblem(error) && error.status >= 500);
      if (!isPassing || left <= 1) throw problemOf(error);
      await new Promise((resolve) => setTimeout(resolve, SEND_PAUSE));
    }
  }
}
