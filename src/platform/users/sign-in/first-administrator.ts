import type { Config } from '../../../base/config.ts';
import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { generatePassword } from '../generate.ts';
import { hashPassword } from '../passwords.ts';
import { insertUser, withAccountsLocked } from '../store.ts';
import { createSignInLink } from './sign-in-links.ts';

/** Lifetime of the set-up link in seconds. */
const SET_UP_TIME = 60 * 60;

/** Creates the first administrator when there are no accounts. */
export async function ensureAdministrator(context: Context, print: (line: string) => void): Promise<void> {
  if (!(await hasAccounts(context.db))) await createAdministrator(context, print);
}

/**
 * Creates the first administrator, unless another process does: the one named by the configuration, or `admin` with a
 * generated password. Another thread hashes the password at once.
 * @param print prints the generated password and a link to the set-up, which are shown nowhere else
 */
export async function createAdministrator(context: Context, print: (line: string) => void): Promise<void> {
  const { config, db } = context;
  const { name, password } = config.admin ?? { name: 'admin', password: generatePassword(context.random) };
  const user = {
    username: name,
    email: 'admin@localhost',
    password_hash: await hashPassword(password, context),
    role: 'administrator' as const,
    created_utc: toUtc(context.now()),
  };
  // Another process may have been first: it holds the lock until its administrator exists.
  const made = await withAccountsLocked(db, async (trx) =>
    (await hasAccounts(trx)) ? undefined : insertUser(trx, user),
  );
  if (!made || config.admin) return;
  const link = await createSignInLink(context, { userId: made.id, lifetime: SET_UP_TIME });
  print(`The first administrator is "${name}" with the password ${password}`);
  print(`It is shown this once. Change it with: npx marquee user password ${name}`);
  print(`Set up the site, once within an hour: ${siteOrigin(config)}/console/#setup=${link.token}`);
}

export const hasAccounts = async (db: Database): Promise<boolean> =>
  (await db.query.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

/** Origin of the site according to the settings. */
export function siteOrigin({ url, host, port }: Config): string {
  if (url !== undefined) return url;
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
