import { z } from 'zod';
import { ROLE_NAMES, SCOPE_NAMES } from '../../../http/core/auth.ts';
import { boolean, date, field, filledText, integer, oneOf, plainLine, texts } from '../../../http/input/schemas.ts';
import { ALERT_KINDS, type AlertKind } from '../../../lib/mail-kinds.ts';
import { isAccountName } from '../../../lib/text/account-name.ts';
import { membersOf } from '../../../lib/text/list.ts';
import { scalarText } from '../../../lib/text/scalar-text.ts';

const readText = (value: unknown): string | undefined => {
  const text = typeof value === 'boolean' ? undefined : scalarText(value);
  return text?.isWellFormed() && !/\p{Cc}/u.test(text) ? text : undefined;
};

/** Length in user-perceived characters, not UTF-16 units. */
const hasLength = (text: string, from: number, to: number) =>
  text.length <= 2 * to && [...text].length >= from && [...text].length <= to;

const username: z.ZodType<string> = field(
  {
    type: 'string',
    minLength: 1,
    maxLength: 60,
    description: 'Name for signing in, unique regardless of case; without colons or markup.',
  },
  'param.username',
  (value) => {
    const name = readText(value)?.trim();
    return name !== undefined && isAccountName(name) ? name : undefined;
  },
);

const password: z.ZodType<string> = field(
  {
    type: 'string',
    minLength: 8,
    maxLength: 200,
    writeOnly: true,
    description: 'Password of the account, 8 to 200 characters.',
  },
  'param.password',
  (value) => {
    const secret = readText(value);
    return secret !== undefined && hasLength(secret, 8, 200) ? secret : undefined;
  },
);

/** The first administrator has an address at `localhost`; a record must be accepted when it is sent back unchanged. */
const LOCAL_ADDRESS = /^[\w.+-]{1,64}@localhost$/i;

const email: z.ZodType<string> = field(
  {
    type: 'string',
    format: 'email',
    description: 'E-mail address, unique regardless of case; can be used instead of the name to sign in.',
  },
  'param.email',
  (value) => {
    const address = scalarText(value) ?? '';
    return z.email().safeParse(address).success || LOCAL_ADDRESS.test(address) ? address : undefined;
  },
);

const MAX_SECRET = 400;

/** A secret as typed, not limited by the rules for new ones. */
const secret = (description: string): z.ZodType<string> =>
  field(
    { type: 'string', minLength: 1, maxLength: MAX_SECRET, writeOnly: true, description },
    'param.text',
    (value) => {
      const typed = readText(value);
      return typed !== undefined && typed !== '' && typed.length <= MAX_SECRET ? typed : undefined;
    },
  );

export const signInFields = {
  name: filledText('Name or e-mail address of the account.', { max: 254 }),
  password: secret('Password of the account.'),
  code: secret('Code of the second factor, or a recovery code.'),
};

/** Re-authentication for sensitive actions; one of them suffices. */
export const reauthenticationFields = {
  password: secret('Current password of the account.'),
  code: secret('Code of the second factor, or a recovery code, instead of the password.'),
};

export const currentPassword = secret('Current password of the account.');

export const linkToken = secret('Token behind `#sign-in=` or `#setup=` in the link.');

/** Parameters of accounts, for endpoints and commands. */
export const accountFields = {
  username,
  email,
  password,
  role: oneOf('Role, which determines the rights of the account.', ROLE_NAMES),
};

/** `may_refund` of an account. */
export const mayRefund = boolean(
  'Whether the account may give money of the orders that it reads back, although its role may not. Administrators always may.',
);

/** `language` of an account, one of the site's or empty. */
export const accountLanguage = field(
  {
    type: 'string',
    maxLength: 35,
    description: 'Language of mails to the account, one of the site; empty for its first.',
  },
  'param.text',
  (value) => (typeof value === 'string' && value.length <= 35 ? value : undefined),
);

/** `alerts` of an account. */
export const accountAlerts: z.ZodType<AlertKind[]> = field<AlertKind[]>(
  {
    type: 'array',
    items: { type: 'string', enum: [...ALERT_KINDS] },
    description:
      'Alerts that the account gets by mail, of those that its rights allow: `payments`, findings of the reconciliation; `jobs`, background jobs that failed for good; `few-left` and `sold-out`, places of events; `orders`, new orders, once an hour at most.',
  },
  'param.list',
  (value) => {
    const kinds = typeof value === 'object' ? membersOf(value) : undefined;
    const known = kinds?.flatMap((kind) => ALERT_KINDS.find((one) => one === kind) ?? []);
    return known && known.length === kinds?.length ? [...new Set(known)] : undefined;
  },
);

export const credentialName = plainLine('Purpose of the credential, such as the name of the program that uses it.', {
  max: 100,
});

export const tokenFields = {
  name: credentialName,
  scopes: texts(
    'Rights of its owner that the token has: `read`; `events:write` and `tickets:write` for changes; `checkin` for check-in; `admin` for everything.',
  ).meta({ type: 'array', items: { type: 'string', enum: [...SCOPE_NAMES] }, minItems: 1 }),
  expires: date(
    'When the token expires, in the time zone of the site unless it names one; a day without a time is included whole. By default, the token is valid until it is revoked.',
  ),
};

export const userId = integer('Id of the account.', { min: 1 });

export const sessionId = integer('Id of the session.', { min: 1 });

export const linkId = integer('Id of the sign-in link.', { min: 1 });

export const credentialId = integer('Id of the credential.', { min: 1 });
