import type { Role } from '../src/http/core/auth.ts';
import { hotp, stepOf } from '../src/lib/totp.ts';
import type { Answer, TestServer } from './server.ts';

/** Credentials of the account of a role. */
export const signIn = (role: Role): { name: string; password: string } => ({
  name: role,
  password: `${role}-password`,
});

/** The header `Cookie` of a session that a response has begun. */
export const cookieOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Signs in the account of a role; returns the header `Cookie`. */
export async function cookieFor({ ask }: TestServer, role: Role): Promise<string> {
  const answer = await ask('POST admin:/session', { body: signIn(role) });
  if (answer.status !== 201) throw new Error(`signing in answered ${answer.status} ${answer.text}`);
  return cookieOf(answer);
}

/** Begins a session of the account of a role and returns its id. */
export async function sessionOf(server: TestServer, role: Role): Promise<number> {
  await server.make('POST admin:/session', signIn(role));
  const { body } = await server.ask('GET admin:/sessions', {
    as: 'administrator',
    query: { user: server.userId(role) },
  });
  return body.sessions[0].id;
}

/** The token of a new sign-in link for the account of a role. */
export async function linkToken(server: TestServer, role: Role = 'author'): Promise<string> {
  const { url } = await server.make(`POST admin:/users/${server.userId(role)}/sign-in-link`, {});
  return url.split('#sign-in=')[1];
}

/** The id of a new sign-in link for the account of a role. */
export async function openLink(server: TestServer, role: Role): Promise<number> {
  await linkToken(server, role);
  const call = `GET admin:/users/${server.userId(role)}/sign-in-links`;
  return (await server.ask(call, { as: 'administrator' })).body.sign_in_links.at(-1).id;
}

/** Headers of a request that a page of the site sends under a session. */
export const bySession = (cookie: string): { cookie: string; origin: string } => ({ cookie, origin: ORIGIN });
export const ORIGIN = 'http://localhost';

export interface Person {
  id: number;
  name: string;
  password: string;
  cookie: string;
}

let serial = 0;
/** For the accounts that `newPerson` has made, by the cookies of their sessions. */
const passwords = new Map<string, string>();

/** A new account that is signed in. */
export async function newPerson({ ask, make }: TestServer, role: Role = 'author'): Promise<Person> {
  serial += 1;
  const name = `person${serial}`;
  const password = `password of ${name}`;
  const { id } = await make('POST admin:/users', { username: name, email: `${name}@example.test`, password, role });
  const answer = await ask('POST admin:/session', { body: { name, password } });
  const cookie = cookieOf(answer);
  passwords.set(cookie, password);
  return { id, name, password, cookie };
}

/** Makes the codes of a second factor. */
export interface Authenticator {
  /** @param later steps of half a minute from now */
  code(later?: number): string;
}

/** Begins the set-up of a second factor, which also confirms the session of an account that `newPerson` has made. */
export async function beginFactor(server: TestServer, cookie: string): Promise<Authenticator> {
  const { body } = await server.ask('POST admin:/me/second-factor', {
    headers: bySession(cookie),
    body: { password: passwords.get(cookie) },
  });
  return authenticatorOf(server, body.secret);
}

/** The code that an app computes from a secret in Base32. */
export function authenticatorOf({ clock }: TestServer, typed: string): Authenticator {
  const secret = bytesOf(typed);
  return { code: (later = 0) => hotp(secret, stepOf(clock.now) + later) };
}

/** Sets up a second factor; its next code belongs to the next step. */
export async function confirmFactor(
  server: TestServer,
  cookie: string,
): Promise<Authenticator & { recoveryCodes: string[] }> {
  const { code } = await beginFactor(server, cookie);
  const answer = await server.ask('POST admin:/me/second-factor/confirm', {
    headers: bySession(cookie),
    body: { code: code() },
  });
  if (answer.status !== 200) throw new Error(`confirming answered ${answer.status} ${answer.text}`);
  return { code, recoveryCodes: answer.body.recovery_codes };
}

/** Reads Base32. */
function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
