import type { Generated } from 'kysely';
import type { Flag } from '../columns.ts';

/** Tables of accounts, their sessions and their credentials. */

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Folded, unique. */
  username_key: string;
  email: string;
  email_key: string;
  password_hash: string;
  role: string;
  created_utc: string;
  /** Incremented by every change of password, role and second factor. */
  credentials_version: Generated<number>;
  /** Last use of a session, to the minute. */
  last_seen_utc: string | null;
  /** Sealed secret of the second factor; empty without one. */
  totp_secret: Generated<string>;
  /** Sealed secret of a second factor that is being set up; empty without one. */
  totp_pending: Generated<string>;
  /** Time step of the last used code; codes of this and earlier steps are rejected. */
  totp_step: Generated<number>;
  /** 1 if the account may issue refunds although its role may not. */
  may_refund: Generated<Flag>;
  /** Language of mails to the account; empty for the site's first language. */
  language: Generated<string>;
  /** JSON list of the alerts that the account gets by mail. */
  alerts: Generated<string>;
}

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** `credentials_version` of the account at sign-in; the session ends when it changes. */
  credentials_version: number;
  /** 1 after signing in with a link, until a password is set. */
  may_set_password: number;
  /** Last re-authentication after sign-in (`isConfirmed`). */
  confirmed_utc: string | null;
  created_utc: string;
  /** To the minute. */
  last_seen_utc: string;
  /** Network of the client. */
  address: string;
  user_agent: string;
}

/** One-time links that sign in. */
export interface SignInLinksTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
  expires_utc: string;
  /** Salt from which the token of a mailed link is derived; empty for links that are shown once. */
  salt: Generated<string>;
  /** 1 if the session that the link starts may set a password without the current one. */
  may_set_password: Generated<Flag>;
}

/** Devices that an account has signed in from. */
export interface AccountDevicesTable {
  user_id: number;
  /** SHA-256 of the account, browser, system and network. */
  hash: string;
  /** Last sign-in. */
  seen_utc: string;
}

/** One-time recovery codes that replace the second factor. */
export interface RecoveryCodesTable {
  user_id: number;
  /** SHA-256, hexadecimal. */
  hash: string;
}

export interface AppPasswordsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  created_utc: string;
  last_used_utc: string | null;
}

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Comma-separated. */
  scopes: string;
  created_utc: string;
  expires_utc: string | null;
  last_used_utc: string | null;
}
