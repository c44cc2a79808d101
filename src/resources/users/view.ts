import { z } from 'zod';
import { type Capability, isRole, ROLE_NAMES, ROLES, SCOPE_NAMES } from '../../http/auth.ts';
import { utcTime } from '../../http/output.ts';
import { shownAccountName } from '../../lib/account-name.ts';
import { plainText } from '../../lib/text.ts';
import type { AppPasswordRow, TokenRow } from './credential-store.ts';
import { scopesOf } from './credentials.ts';
import type { UserRow } from './store.ts';

const id = z.int().min(1);
const lastUse = utcTime.nullable().describe('UTC, to the hour; null for a credential that was never used.');
const capability = z.enum(ROLES.administrator as readonly [Capability, ...Capability[]]);

/** An account without secrets; rendered by `userView`. */
export const userSchema = z
  .object({ id, username: z.string(), email: z.string(), role: z.enum(ROLE_NAMES), created_utc: utcTime })
  .meta({ id: 'User', description: 'An account.' });

/** The account of the caller. */
export const meSchema = userSchema
  .omit({ created_utc: true })
  .extend({
    capabilities: z
      .array(capability)
      .describe('Rights of this caller: those of the role, restricted by the scopes of a token.'),
    scopes: z.array(z.enum(SCOPE_NAMES)).optional().describe('Only for callers with a token.'),
  })
  .meta({ id: 'Me', description: 'The authenticated account.' });

/** An application password after creation: the secret itself is not stored. */
export const appPasswordSchema = z
  .object({ id, name: z.string(), created_utc: utcTime, last_used_utc: lastUse })
  .meta({ id: 'ApplicationPassword', description: 'A password for one program, which can be revoked alone.' });

/** An application password with its secret, only in the answer to its creation. */
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

/** A token with its secret, only in the answer to its creation. */
export const newTokenSchema = tokenSchema
  .extend({ token: z.string().describe('Shown only once; sent as `Authorization: Bearer TOKEN`.') })
  .meta({ id: 'NewToken', description: 'A new token.' });

export const userView = ({ id, username, email, role, created_utc }: UserRow): z.output<typeof userSchema> => ({
  id,
  username: shownAccountName(username),
  email,
  role: isRole(role) ? role : 'subscriber',
  created_utc,
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
