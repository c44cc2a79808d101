/** Authentication methods; commands on the server machine need none. */
export const AUTHENTICATION_METHODS = [
  'password',
  'app-password',
  'token',
  'session',
  'check-in-key',
  'door-device',
  'command-line',
] as const;
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** Application password, token, session, check-in key or device of a request. */
export interface Credential {
  means: AuthenticationMethod;
  id: number | null;
  /** Empty for credentials without a name. */
  name: string;
}

/** User, key, device or command that makes a change, as recorded in the audit log. */
export interface Actor {
  /** null for a check-in key, a device at the door or a command. */
  account: { id: number; name: string } | null;
  credential: Credential;
  /** As `shortenedNetwork` gives it; empty for a command. */
  network: string;
  /** Empty for a command. */
  requestId: string;
  now: Date;
}

/** The actor of a command on the server machine. */
export const commandLine = (now: Date): Actor => ({
  account: null,
  credential: { means: 'command-line', id: null, name: '' },
  network: '',
  requestId: '',
  now,
});
