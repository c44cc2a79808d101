import { z } from 'zod';
import { type Capability, isRole, ROLE_NAMES, ROLES, SCOPE_NAMES } from '../../../http/core/auth.ts';
import { link, utcTime } from '../../../http/output/output.ts';
import { ALERT_KINDS } from '../../../lib/mail-kinds.ts';
import { displayedAccountName } from '../../../lib/text/account-name.ts';
import { plainText } from '../../../lib/text/text.ts';
import { availableAlerts, chosenAlerts } from '../alerts.ts';
import type { AppPasswordRow, TokenRow } from '../credential-store.ts';
import { scopesOf } from '../sign-in/credentials.ts';
import type { SessionRow } from '../sign-in/session-store.ts';
import { type SignInLink, type SignInLinkRow, signInUrl } from '../sign-in/sign-in-links.ts';
import type { UserRow } from '../store.ts';

const id = z.int().min(1);
const lastUse = utcTime.nullable().describe('UTC, to the hour; null for an unused credential.');
const capability = z.enum(ROLES.administrator as readonly [Capability, ...Capability[]]);

/** An account without secrets; rendered by `userView`. */
export const userSchema = z
  .object({
    ...{ id, username: z.string(), email: z.string(), role: z.enum(ROLE_NAMES), created_utc: utcTime },
    last_seen_utc: utcTime.nullable().describe('Last use of a session, to the minute; null if there was none.'),
    has_second_factor: z.boolean(),
    may_refund: z
      .boolean()
      .describe('Whether the account may give money back although its role may not; administrators always may.'),
    language: z.string().describe('Language of mails to the account; empty for the first of the site.'),
    alerts: z.array(z.enum(ALERT_KINDS)).describe('Alerts that the account gets by mail.'),
    available_alerts: z.array(z.enum(ALERT_KINDS)).describe('Alerts that its rights allow.'),
  })
  .meta({ id: 'User', description: 'An account.' });

/** One-time sign-in link. */
export const signInLinkSchema = z
  .object({ url: link, expires_utc: utcTime })
  .meta({ id: 'SignInLink', description: 'One-time link that signs in without password and code.' });

/** One-time sign-in link that was sent by mail. */
export const mailedLinkSchema = z
  .object({ expires_utc: utcTime })
  .meta({ id: 'MailedSignInLink', description: 'One-time link that was sent to the account by mail.' });

/** Unused sign-in link, without its secret. */
export const openSignInLinkSchema = z
  .object({ id, expires_utc: utcTime })
  .meta({ id: 'OpenSignInLink', description: 'Unused sign-in link.' });

/** A new account; without a password it has a sign-in link. */
export const newUserSchema = userSchema
  .extend({
    sign_in_link: signInLinkSchema.optional(),
    is_invited: z.boolean().optional().describe('Whether the link was sent to the account by mail.'),
  })
  .meta({ id: 'NewUser', description: 'A new account.' });

/** Account of the viewer. */
export const meSchema = userSchema
  .omit({ created_utc: true, last_seen_utc: true, has_second_factor: true })
  .extend({
    capabilities: z.array(capability).describe('Rights of the role, restricted by the scopes of a token.'),
    scopes: z.array(z.enum(SCOPE_NAMES)).optional().describe('Only for requests with a token.'),
    second_factor: z.object({
      is_enabled: z.boolean(),
      is_required: z.boolean().describe('Whether the role requires one. Without one, a session can only set it up.'),
      recovery_codes: z.int().describe('Number of unused recovery codes.'),
    }),
    may_set_password: z
      .boolean()
      .optional()
      .describe(
        'Only for sessions: whether it began with a link within the last hour, so that a password can be set without the current one.',
      ),
  })
  .meta({ id: 'Me', description: 'The authenticated account.' });

/** A session of an account, without its secret. */
export const sessionSchema = z
  .object({
    ...{ id, user_id: id, created_utc: utcTime },
    last_seen_utc: utcTime.describe('UTC, to the minute.'),
    address: z.string().describe('Network of the client.'),
    user_agent: z.string().describe('`User-Agent` of the browser.'),
    is_current: z.boolean().describe('Whether it is the session of this request.'),
  })
  .meta({ id: 'Session', description: 'A browser session.' });

/** A session after re-authentication. */
export const reauthenticationSchema = z
  .object({ confirmed_until_utc: utcTime.describe('UTC. Until then the session needs no further re-authentication.') })
  .meta({ id: 'Confirmation', description: 'Re-authentication of a session.' });

/** Recovery codes, only in the response to their creation. */
export const recoveryCodesSchema = z
  .object({ recovery_codes: z.array(z.string()).describe('Shown only once. Each signs in once instead of a code.') })
  .meta({ id: 'RecoveryCodes', description: 'Codes that replace a lost phone.' });

/** A second factor before it is confirmed. */
export const newSecondFactorSchema = z
  .object({
    secret: z.string().describe('Base32, for typing into an app.'),
    uri: z.string().describe('`otpauth:` URL, for display as a QR code.'),
  })
  .meta({ id: 'NewSecondFactor', description: 'A second factor that takes effect once it is confirmed.' });

/** Possible author of records. */
export const authorSchema = z
  .object({ id, name: z.string() })
  .meta({ id: 'Author', description: 'An account that can be named as author.' });

/** An application password after creation: the secret itself is not stored. */
export const appPasswordSchema = z
  .object({ id, name: z.string(), created_utc: utcTime, last_used_utc: lastUse })
  .meta({ id: 'ApplicationPassword', description: 'A password for one program, which can be revoked separately.' });

/** An application password with its secret, only in the response to its creation. */
export const newAppPasswordSchema = appPasswordSchema
  .extend({ password: z.string().describe('Shown only once. Spaces in it are ignored.') })
  .meta({ id: 'NewApplicationPassword', description: 'A new application password.' });

/** A token after creation: the secret itself is not stored. */
export const tokenSchema = z
  .object({
    id,
    user_id: id,
    name: z.string(),
    scopes: z.array(z.enum(SCOPE_NAMES)),
    created_utc: utcTime,
    expires_utc: utcTime.nullable().describe('UTC; null for a token that does not expire.'),
    last_used_utc: lastUse,
  })
  .meta({ id: 'Token', description: 'An API token for one program, with some of the rights of its owner.' });

/** A token with its secret, only in the response to its creation. */
export const newTokenSchema = tokenSchema
  .extend({ token: z.string().describe('Shown only once; sent as `Authorization: Bearer TOKEN`.') })
  .meta({ id: 'NewToken', description: 'A new token.' });

/** Alerts of an account, and the alerts that it may choose. */
export const alertsView = (user: UserRow) => ({ alerts: chosenAlerts(user), available_alerts: availableAlerts(user) });

export const userView = (user: UserRow): z.output<typeof userSchema> => {
  const { id, username, email, role, created_utc, last_seen_utc, totp_secret, may_refund, language } = user;
  return {
    id,
    username: displayedAccountName(username),
    email,
    role: isRole(role) ? role : 'subscriber',
    created_utc,
    last_seen_utc,
    has_second_factor: totp_secret !== '',
    may_refund: may_refund === 1,
    language,
    ...alertsView(user),
  };
};

export const signInLinkView = (
  made: SignInLink,
  { origin }: { origin: string },
): z.output<typeof signInLinkSchema> => ({
  url: signInUrl(origin, made),
  expires_utc: made.expires_utc,
});

export const openSignInLinkView = ({ id, expires_utc }: SignInLinkRow): z.output<typeof openSignInLinkSchema> => ({
  id,
  expires_utc,
});

export const sessionView = (
  { id, user_id, created_utc, last_seen_utc, address, user_agent }: SessionRow,
  current: number | undefined,
): z.output<typeof sessionSchema> => ({
  ...{ id, user_id, created_utc, last_seen_utc, address, user_agent },
  is_current: id === current,
});

export const appPasswordView = ({
  id,
  name,
  created_utc,
  last_used_utc,
}: AppPasswordRow): z.output<typeof appPasswordSchema> => ({
  id,
  // Rows of earlier versions have unsanitised names.
  name: plainText(name),
  created_utc,
  last_used_utc,
});

export const tokenView = (row: TokenRow): z.output<typeof tokenSchema> => ({
  id: row.id,
  user_id: row.user_id,
  name: plainText(row.name),
  scopes: scopesOf(row.scopes),
  created_utc: row.created_utc,
  expires_utc: row.expires_utc,
  last_used_utc: row.last_used_utc,
});
